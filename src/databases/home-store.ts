import { eq } from "drizzle-orm";
import { query } from "../db/query.ts";
import { latest } from "../db/reader.ts";
import { workspaces } from "../db/schema/index.ts";
import { type Given, statement } from "../db/statement.ts";
import { type Databases, databaseOf } from "./databases.ts";
import { type Home, readHome, SHARDS_MAX } from "./shard-name.ts";

/** What a database has of where a workspace lives; no row where it has never had the workspace. */
const homeById = statement((given: Given<{ workspaceId: string }>) =>
  query
    .select({ home: workspaces.home })
    .from(workspaces)
    .where(eq(workspaces.workspaceId, given.workspaceId)),
);

/**
 * Where a workspace lives now, that was in a database once: what it has left behind says where it went. Null where no
 * database that is bound has it. Reads nothing where no shard is bound.
 */
export async function findHome(databases: Databases, from: Home, workspaceId: string): Promise<Home | null> {
  if (databases.shards.size === 0) return databaseOf(databases, from) === null ? null : from;
  let home = from;
  for (let moves = 0; moves <= SHARDS_MAX; moves += 1) {
    const db = databaseOf(databases, home);
    const row = db === null ? null : await homeById.first(latest(db), { workspaceId });
    if (row === null) return null;
    if (row.home === null) return home;
    home = readHome(row.home);
  }
  throw new Error("a workspace that has moved in a circle");
}
