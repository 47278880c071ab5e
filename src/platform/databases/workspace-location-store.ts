import { eq } from "drizzle-orm";
import { latest } from "../db/reader.ts";
import { workspaces } from "../db/schema/index.ts";
import { type Given, query, statement } from "../db/statement.ts";
import { type Databases, databaseOf } from "./databases.ts";
import { type Home, readHome, SHARDS_MAX } from "./shard-name.ts";

/** A database's row of a workspace: its home, and whether writes are refused; null for an unknown workspace. */
const placeById = statement((given: Given<{ workspaceId: string }>) =>
  query.from(workspaces, "home", "movingSince").where(eq(workspaces.workspaceId, given.workspaceId)),
);

/** A workspace's home. `isMoving`: writes are refused at the moment. */
interface Place {
  readonly home: Home;
  readonly isMoving: boolean;
}

/**
 * Finds a workspace that was once in the database `from`: each database that it left names the next one. Null if no
 * bound database has it.
 */
export async function findPlace(
  databases: Databases,
  from: Home,
  workspaceId: string,
): Promise<Place | null> {
  let home = from;
  for (let moves = 0; moves <= SHARDS_MAX; moves += 1) {
    const db = databaseOf(databases, home);
    const row = db === null ? null : await placeById.first(latest(db), { workspaceId });
    if (row === null) return null;
    if (row.home === null) return { home, isMoving: row.movingSince !== null };
    home = readHome(row.home);
  }
  throw new Error("a workspace that has moved in a circle");
}

/** Like `findPlace`, but returns only the home. Reads nothing if the origin has no shards. */
export async function findHome(databases: Databases, from: Home, workspaceId: string): Promise<Home | null> {
  if (databases.shards.size === 0) return databaseOf(databases, from) === null ? null : from;
  return (await findPlace(databases, from, workspaceId))?.home ?? null;
}
