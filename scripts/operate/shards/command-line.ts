import { Argument, InvalidArgumentError, Option } from "commander";
import { DIRECTORY, type Home, isShardName, type ShardName } from "#platform/databases/shard-name.ts";
import { databaseNow } from "#platform/db/database-clock.ts";
import { openDatabase } from "../workspace/open-database.ts";
import { id } from "../workspace/option-values.ts";
import {
  type Command,
  type Common,
  defineCommand,
  type Invocation,
  readCommand,
} from "../workspace/run-command.ts";
import { add } from "./add.ts";
import {
  estimateMove,
  list,
  type MoveChoice,
  move,
  moves,
  rebalance,
  type ShardsContext,
} from "./commands.ts";
import {
  reportAdded,
  reportEstimate,
  reportList,
  reportMove,
  reportMoves,
  reportProgress,
  reportRebalance,
} from "./report.ts";

/** The commands of `npm run shards` with their options. */

function shard(value: string): ShardName {
  if (isShardName(value)) return value;
  throw new InvalidArgumentError("It takes a shard from 00 to 63.");
}

const home = (value: string): Home => (value === DIRECTORY ? DIRECTORY : shard(value));

/** Runs a command while the databases are open. */
const onDatabases =
  <Choice, Found>(work: (context: ShardsContext, choice: Choice, isJson: boolean) => Promise<Found>) =>
  async ({ target, isJson }: Common, choice: Choice): Promise<Found> => {
    const { db, databases, names, close } = await openDatabase(target);
    try {
      return await work({ databases, names, target, nowMs: await databaseNow(db) }, choice, isJson);
    } finally {
      await close();
    }
  };

async function moveAndShow(context: ShardsContext, choice: MoveChoice, isJson: boolean) {
  let shown = "";
  const estimate = await estimateMove(context, choice.workspaceId);
  if (!isJson && estimate.rows > 0) process.stdout.write(`${reportEstimate(estimate)}\n`);
  const found = await move(context, choice, (latest) => {
    const text = reportProgress(latest);
    if (!isJson && text !== shown) process.stdout.write(`${text}\n`);
    shown = text;
  });
  return { ...found, estimate };
}

const nothing = () => ({});

const COMMANDS: readonly Command[] = [
  defineCommand(
    "list",
    "Lists bytes, workspaces and packs of each database.",
    [],
    nothing,
    onDatabases(list),
    reportList,
  ),
  defineCommand(
    "add",
    "Creates the next database, with --remote, and binds it in the configuration. Deploy afterwards.",
    [
      new Option("--shard <name>", "a specific shard, such as 07").argParser(shard),
      new Option("--id <id>", "id of an existing database").argParser(id),
    ],
    (options: { shard?: ShardName; id?: string }) => ({
      shard: options.shard ?? null,
      databaseId: options.id ?? null,
    }),
    ({ target }, choice) => add(target, choice),
    reportAdded,
  ),
  defineCommand(
    "move",
    "Lets the worker move a workspace to another database, and shows the progress.",
    [
      new Argument("<workspace>", "its id").argParser(id),
      new Option("--to <database>", "a shard such as 03, or DB").argParser(home).makeOptionMandatory(),
      new Option("--no-wait", "ask only"),
    ],
    ({ to, wait }: { to: Home; wait: boolean }, { processedArgs: [workspaceId] }): MoveChoice => ({
      workspaceId,
      to,
      isWaiting: wait,
    }),
    onDatabases(moveAndShow),
    reportMove,
  ),
  defineCommand("moves", "Lists moves in progress.", [], nothing, onDatabases(moves), reportMoves),
  defineCommand(
    "rebalance",
    "Plans moves that would balance the databases, with reasons.",
    [new Option("--dry-run", "moves nothing").makeOptionMandatory()],
    nothing,
    onDatabases(rebalance),
    reportRebalance,
  ),
];

/** Parses the command line. Throws CommandLineError with the text to show if there is nothing to run. */
export const readInvocation = (parameters: readonly string[]): Invocation =>
  readCommand(
    {
      name: "npm run shards --",
      description: "Manages databases for workspaces besides DB.",
      remote: "the deployed databases",
      commands: COMMANDS,
    },
    parameters,
  );
