import { applyD1Migrations } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { readCapabilities } from "#platform/bindings/capabilities.ts";
import { type Databases, databaseOf, everyDatabase } from "#platform/databases/databases.ts";
import { placeOf } from "#platform/databases/move-store.ts";
import { DIRECTORY, type Home, readHome } from "#platform/databases/shard-name.ts";
import { findHome } from "#platform/databases/workspace-location-store.ts";
import { firstDatabase, type Meant } from "./first-database.ts";

/** Where the worker of this run keeps its workspaces: in `DB`, or on the shards that SHARDS has bound beside it. */

/** The worker's own databases. */
export function boundDatabases(): Databases {
  const { accounts } = readCapabilities(env);
  if (accounts === null) throw new Error("the worker has no databases");
  return accounts.databases;
}

/** Whether workspaces live on shards in this run. */
export const isOnShards = (): boolean => boundDatabases().shards.size > 0;

/** Makes the tables of every database. */
export async function migrateAll(): Promise<void> {
  for (const { db } of everyDatabase(boundDatabases())) await applyD1Migrations(db, env.TEST_MIGRATIONS);
}

/** Where a workspace lives now; `DB` where the directory does not have it. */
export const homeOf = async (workspaceId: string): Promise<Home> =>
  (await findHome(boundDatabases(), DIRECTORY, workspaceId)) ?? DIRECTORY;

/** Where each of these workspaces lives now, as `homeOf` tells it of one. */
export async function homesOf(workspaceIds: readonly string[]): Promise<ReadonlyMap<string, Home>> {
  const homes = new Map<string, Home>(workspaceIds.map((workspaceId) => [workspaceId, DIRECTORY]));
  if (!isOnShards()) return homes;
  const rows = await Promise.all(
    everyDatabase(boundDatabases()).map(async ({ home, db }) => {
      const { results } = await db
        .prepare(
          `SELECT workspace_id AS workspaceId, home FROM workspaces
           WHERE home IS NOT NULL AND workspace_id IN (SELECT value FROM json_each(?1))`,
        )
        .bind(JSON.stringify(workspaceIds))
        .all<{ workspaceId: string; home: string }>();
      return [home, new Map(results.map((row) => [row.workspaceId, readHome(row.home)]))] as const;
    }),
  );
  const forwarders = new Map<Home, ReadonlyMap<string, Home>>(rows);
  for (const workspaceId of workspaceIds) {
    // As many hops as there are databases; a circle is for whoever reads there next.
    for (const _ of rows) {
      const next = forwarders.get(homes.get(workspaceId) ?? DIRECTORY)?.get(workspaceId);
      if (next !== undefined) homes.set(workspaceId, next);
    }
  }
  return homes;
}

/** The databases that have the workspace, or had it before it moved. */
export async function homesWith(workspaceId: string): Promise<ReadonlySet<Home>> {
  const homes = await Promise.all(
    everyDatabase(boundDatabases()).map(async ({ home, db }) =>
      (await placeOf.first(db, { workspaceId })) === null ? [] : [home],
    ),
  );
  return new Set(homes.flat());
}

/** The database of that name, which must be bound. */
export function boundDatabase(home: Home): D1Database {
  const db = databaseOf(boundDatabases(), home);
  if (db === null) throw new Error(`no database ${home} is bound`);
  return db;
}

/** The database where a workspace lives now. */
export const databaseOfWorkspace = async (workspaceId: string): Promise<D1Database> =>
  boundDatabase(await homeOf(workspaceId));

/** A message of a queue about a workspace's work, which names its shard. */
export async function messageOf<T extends object>(workspaceId: string, body: T): Promise<T> {
  const home = await homeOf(workspaceId);
  return home === DIRECTORY ? body : { ...body, shard: home };
}

/** What a message may name, and where its workspace stands. */
const WORKSPACE_OF: Readonly<Record<string, string>> = {
  jobId: "SELECT workspace_id FROM jobs WHERE job_id = ?1",
  deliveryId: "SELECT workspace_id FROM deliveries WHERE delivery_id = ?1",
  assetId: "SELECT workspace_id FROM assets WHERE asset_id = ?1",
};

/** The same of a job, a delivery or an asset that is somewhere; what names none is left as it is. */
export async function messageOfWork(body: unknown): Promise<unknown> {
  if (!isOnShards() || typeof body !== "object" || body === null) return body;
  for (const [member, id] of Object.entries(body)) {
    const sql = WORKSPACE_OF[member];
    if (sql === undefined) continue;
    const workspaceId = await anyDatabase().prepare(sql).bind(id).first<string>("workspace_id");
    if (workspaceId !== null) return messageOf(workspaceId, body);
  }
  return body;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** What a statement is about: the first table that it names. Rows that it joins lie beside those, mirrored if need be. */
const TABLE = /\b(?:from|into|update)\s+"?(\w+)/i;

/** Tables that only `DB` has; what shards have of some is a mirror. */
const OF_DIRECTORY =
  /^(?:accounts|account_(?:credentials|sessions|events|devices|verifications)|workspace_(?:members|invitations|moves)|trial_claims)$/;

/** The place of the database where the first workspace lives that is among the values; `DB` for what only that has. */
async function placeOfWorkspaceIn({ sqls, values }: Meant): Promise<number | null> {
  const databases = boundDatabases();
  if (sqls.some((sql) => OF_DIRECTORY.test(TABLE.exec(sql)?.[1] ?? ""))) return 0;
  for (const value of new Set(values)) {
    if (typeof value !== "string" || !UUID.test(value)) continue;
    const home = await findHome(databases, DIRECTORY, value);
    if (home !== null) return everyDatabase(databases).findIndex((database) => database.home === home);
  }
  return null;
}

/**
 * Every database as one, for arranging and for reading what is stored: a statement that is bound to a workspace's id meets the
 * database where that lives, and any other the first in which it finds or changes something. Without shards, `DB` itself.
 */
export const anyDatabase = (): D1Database =>
  isOnShards()
    ? firstDatabase(
        everyDatabase(boundDatabases()).map(({ db }) => db),
        placeOfWorkspaceIn,
      )
    : env.DB;
