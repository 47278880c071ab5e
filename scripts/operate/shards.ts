/** Databases for workspaces beside DB: npm run shards -- list | add | move <workspace> | moves | rebalance (--help names all) */

import { databaseNow } from "#platform/db/database-clock.ts";
import { add } from "./shards/add.ts";
import { type Command, readInvocation } from "./shards/command-line.ts";
import { estimateMove, list, move, moves, rebalance, type ShardsContext } from "./shards/commands.ts";
import {
  reportAdded,
  reportEstimate,
  reportList,
  reportMove,
  reportMoves,
  reportProgress,
  reportRebalance,
} from "./shards/report.ts";
import { openDatabase } from "./workspace/open-database.ts";
import type { Invocation } from "./workspace/read-command.ts";
import { type Result, resultOf, runCommand } from "./workspace/run-command.ts";

async function execute(
  context: ShardsContext,
  command: Exclude<Command, { name: "add" }>,
  isJson: boolean,
): Promise<Result> {
  switch (command.name) {
    case "list":
      return resultOf(await list(context), reportList);
    case "move": {
      let shown = "";
      const estimate = await estimateMove(context, command.workspaceId);
      if (!isJson && estimate.rows > 0) process.stdout.write(`${reportEstimate(estimate)}\n`);
      const found = await move(context, command, (latest) => {
        const text = reportProgress(latest);
        if (!isJson && text !== shown) process.stdout.write(`${text}\n`);
        shown = text;
      });
      return resultOf({ ...found, estimate }, reportMove);
    }
    case "moves":
      return resultOf(await moves(context), reportMoves);
    case "rebalance":
      return resultOf(await rebalance(context), reportRebalance);
  }
}

async function resultFor({ command, target, isJson }: Invocation<Command>): Promise<Result> {
  if (command.name === "add") return resultOf(await add(target, command), reportAdded);
  const { db, databases, names, close } = await openDatabase(target);
  try {
    return await execute({ databases, names, target, nowMs: await databaseNow(db) }, command, isJson);
  } finally {
    await close();
  }
}

await runCommand(readInvocation, resultFor);
