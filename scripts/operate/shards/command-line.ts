import { InvalidArgumentError, Option, type Command as Program } from "commander";
import { DIRECTORY, type Home, isShardName, type ShardName } from "#platform/databases/shard-name.ts";
import { id } from "../workspace/option-values.ts";
import {
  type Invocation,
  type Run,
  readCommand,
  type TargetOptions,
  targetOptions,
} from "../workspace/read-command.ts";

/** The commands of `npm run shards`, and their options. */

export type Command =
  | { readonly name: "list" }
  | { readonly name: "add"; readonly shard: ShardName | null; readonly databaseId: string | null }
  | { readonly name: "move"; readonly workspaceId: string; readonly to: Home; readonly isWaiting: boolean }
  | { readonly name: "moves" }
  | { readonly name: "rebalance" };

function shard(value: string): ShardName {
  if (isShardName(value)) return value;
  throw new InvalidArgumentError("It takes a shard from 00 to 63.");
}

const home = (value: string): Home => (value === DIRECTORY ? DIRECTORY : shard(value));

const TARGET = targetOptions("the deployed databases");

/** Reads the command line. Throws CommandLineError with the text to show when there is nothing to run. */
export const readInvocation = (parameters: readonly string[]): Invocation<Command> =>
  readCommand(
    {
      name: "npm run shards --",
      description: "Databases for workspaces beside DB, and which workspace lives on which.",
    },
    addCommands,
    parameters,
  );

function addCommands(program: Program, run: Run<Command>): void {
  const define = (name: Command["name"], description: string, options: readonly Option[] = []): Program => {
    const defined = program.command(name).description(description);
    for (const option of [...options, ...TARGET]) defined.addOption(option);
    return defined;
  };
  define("list", "Bytes, workspaces and packs of each database.").action((options: TargetOptions) =>
    run({ name: "list" }, options),
  );
  define("add", "Makes the next database, with --remote, and binds it in the configuration. Deploy then.", [
    new Option("--shard <name>", "another than the next, as 07").argParser(shard),
    new Option("--id <id>", "of a database that is there already").argParser(id),
  ]).action((options: TargetOptions & { shard?: ShardName; id?: string }) =>
    run({ name: "add", shard: options.shard ?? null, databaseId: options.id ?? null }, options),
  );
  define("move", "Has the worker move a workspace to another database, and shows how far it is.", [
    new Option("--to <database>", "a shard as 03, or DB").argParser(home).makeOptionMandatory(),
    new Option("--no-wait", "ask only"),
  ])
    .argument("<workspace>", "its id", id)
    .action((workspaceId: string, options: TargetOptions & { to: Home; wait: boolean }) =>
      run({ name: "move", workspaceId, to: options.to, isWaiting: options.wait }, options),
    );
  define("moves", "Moves that are under way.").action((options: TargetOptions) =>
    run({ name: "moves" }, options),
  );
  define("rebalance", "What would be moved so that the databases are as full as each other, and why.", [
    new Option("--dry-run", "moves nothing").makeOptionMandatory(),
  ]).action((options: TargetOptions) => run({ name: "rebalance" }, options));
}
