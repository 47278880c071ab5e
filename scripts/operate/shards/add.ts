import { appendFile, readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { bindingOf, SHARD_NAMES, type ShardName } from "#platform/databases/shard-name.ts";
import { Failure } from "../../local/failure.ts";
import { shardStanza } from "../../local/shards.ts";
import { requireTool } from "../../local/tool.ts";
import type { Target } from "../workspace/run-command.ts";

/** Creates a database for workspaces and binds it. The next deployment migrates it and places new workspaces there. */

const DATABASE_ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

const isBound = (configuration: string, shard: ShardName): boolean =>
  new RegExp(`^\\s*binding\\s*=\\s*"${bindingOf(shard)}"`, "m").test(configuration);

/** The requested shard, or the first that is not bound. */
function chooseShard(configuration: string, asked: ShardName | null): ShardName {
  if (asked !== null && isBound(configuration, asked)) {
    throw new Failure(`${bindingOf(asked)} is bound already.`);
  }
  const free = asked ?? SHARD_NAMES.find((shard) => !isBound(configuration, shard));
  if (free === undefined) throw new Failure("All shards, 00 to 63, are bound already.");
  return free;
}

async function createDatabase(name: string, configPath: string): Promise<string> {
  const { output } = await requireTool(
    `Making the database ${name}`,
    "wrangler",
    [...["d1", "create", name, "--config", configPath]],
    { CI: "1", NO_COLOR: "1", WRANGLER_WRITE_LOGS: "false" },
  );
  const id = DATABASE_ID.exec(output)?.[0];
  if (id === undefined) {
    throw new Failure(
      `wrangler has made ${name} but printed no id. Find it by \`npx wrangler d1 list\`, and give --id.`,
    );
  }
  return id;
}

/** The new shard's section at the end of the configuration, and the next steps. */
export async function add(
  target: Target,
  { shard: asked, databaseId }: { readonly shard: ShardName | null; readonly databaseId: string | null },
) {
  const configPath = resolve(target.configPath);
  const configuration = await readFile(configPath, "utf8").catch(() => {
    throw new Failure(`There is no ${target.configPath}.`);
  });
  if (!configPath.endsWith(".toml")) throw new Failure("The configuration must be TOML to be added to.");
  if (!target.isRemote && databaseId === null) {
    throw new Failure("Give --remote to make a database in the account, or --id of one that is there.");
  }
  const shard = chooseShard(configuration, asked);
  const name = `creative-packs-${shard}`;
  const id = databaseId ?? (await createDatabase(name, configPath));
  const separator = configuration.endsWith("\n") ? "" : "\n";
  await appendFile(configPath, `${separator}${shardStanza(shard, name, id)}`);
  return { shard, name, databaseId: id, configuration: target.configPath };
}
