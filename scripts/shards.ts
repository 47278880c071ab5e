/** Databases for workspaces beside DB: npm run shards -- list | add | move <workspace> | moves | rebalance (--help names all) */

import { databaseNow } from "../src/db/database-clock.ts";
import { Failure } from "./local/failure.ts";
import { CommandLineError } from "./operator/command-line.ts";
import { openDatabase } from "./operator/open-database.ts";
import { plainJson } from "./operator/plain-text.ts";
import { add } from "./shards/add.ts";
import { type Command, type Invocation, readInvocation } from "./shards/command-line.ts";
import { list, move, moves, rebalance, type ShardsPlace } from "./shards/commands.ts";
import {
  reportAdded,
  reportList,
  reportMove,
  reportMoves,
  reportProgress,
  reportRebalance,
} from "./shards/report.ts";

const EXIT_FAILED = 1;
const EXIT_NOT_UNDERSTOOD = 2;

/** What a command found, and the same for a person. */
interface Result {
  readonly found: object;
  readonly text: string;
}

const resultOf = <T extends object>(found: T, report: (found: T) => string): Result => ({
  found,
  text: report(found),
});

async function execute(
  place: ShardsPlace,
  command: Exclude<Command, { name: "add" }>,
  isJson: boolean,
): Promise<Result> {
  switch (command.name) {
    case "list":
      return resultOf(await list(place), reportList);
    case "move": {
      let shown = "";
      const found = await move(place, command, (latest) => {
        const text = reportProgress(latest);
        if (!isJson && text !== shown) process.stdout.write(`${text}\n`);
        shown = text;
      });
      return resultOf(found, reportMove);
    }
    case "moves":
      return resultOf(await moves(place), reportMoves);
    case "rebalance":
      return resultOf(await rebalance(place), reportRebalance);
  }
}

async function resultFor({ command, target, isJson }: Invocation): Promise<Result> {
  if (command.name === "add") return resultOf(await add(target, command), reportAdded);
  const { db, databases, names, close } = await openDatabase(target);
  try {
    return await execute({ databases, names, target, nowMs: await databaseNow(db) }, command, isJson);
  } finally {
    await close();
  }
}

async function main(parameters: readonly string[]): Promise<void> {
  try {
    const invocation = readInvocation(parameters);
    const { found, text } = await resultFor(invocation);
    process.stdout.write(`${invocation.isJson ? plainJson(found) : text}\n`);
  } catch (thrown) {
    if (thrown instanceof CommandLineError) {
      process.exitCode = thrown.isHelp ? 0 : EXIT_NOT_UNDERSTOOD;
      process[thrown.isHelp ? "stdout" : "stderr"].write(thrown.message);
      return;
    }
    process.exitCode = EXIT_FAILED;
    const stack = thrown instanceof Error ? thrown.stack : String(thrown);
    process.stderr.write(`${thrown instanceof Failure ? thrown.message : stack}\n`);
  }
}

await main(process.argv.slice(2));
