import { readFile, rename, writeFile } from "node:fs/promises";
import { bindingOf, SHARD_NAMES, SHARDS_MAX, type ShardName } from "#platform/databases/shard-name.ts";
import { Failure } from "./failure.ts";
import { inRoot } from "./paths.ts";

/** The local worker with shards. wrangler.toml names no shards, because each operator chooses how many to use. */

/** A shard's section of a wrangler configuration. */
export const shardStanza = (shard: ShardName, databaseName: string, databaseId: string): string => `
[[d1_databases]]
binding = "${bindingOf(shard)}"
database_name = "${databaseName}"
database_id = "${databaseId}"
migrations_dir = "migrations"
`;

/** Ids of local databases only. */
const localId = (shard: ShardName): string => `00000000-0000-0000-0000-0000000000${shard}`;

/**
 * The configuration for a number of shards: wrangler.toml, or a generated copy next to it, because paths in it are
 * relative.
 */
export async function configWithShards(count: number): Promise<string> {
  if (count === 0) return inRoot("wrangler.toml");
  if (!Number.isInteger(count) || count < 0 || count > SHARDS_MAX) {
    throw new Failure(`The number of shards is from 0 to ${SHARDS_MAX}.`);
  }
  const path = inRoot(`wrangler.shards-${count}.toml`);
  const stanzas = SHARD_NAMES.slice(0, count).map((shard) =>
    // The id of `DB` is all zeros.
    shardStanza(shard, `creative-packs-${shard}`, localId(shard).replace(/^0/, "1")),
  );
  const unfinished = `${path}.${process.pid}.toml`;
  await writeFile(unfinished, `${await readFile(inRoot("wrangler.toml"), "utf8")}${stanzas.join("")}`);
  await rename(unfinished, path);
  return path;
}
