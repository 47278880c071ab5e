import { applyD1Migrations } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { readCapabilities } from "#platform/bindings/capabilities.ts";
import { type Databases, databaseOf, everyDatabase } from "#platform/databases/databases.ts";
import { placeOf } from "#platform/databases/move-store.ts";
import { DIRECTORY, type Home, readHome } from "#platform/databases/shard-name.ts";
import { findHome } from "#platform/databases/workspace-location-store.ts";
import { firstDatabase, type StatementBatch } from "./first-database.ts";

/** Databases of workspaces in this run: `DB`, or the shards bound by SHARDS. */

export function boundDatabases(): Databases {
  const { accounts } = readCapabilities(env);
  if (accounts === null) throw new Error("the worker has no databases");
  return accounts.databases;
}

/** Whether workspaces live on shards in this run. */
export const isOnShards = (): boolean => boundDatabases().shards.size > 0;

/** Creates the tables of every database. */
export async function migrateAll(): Promise<void> {
  for (const { db } of everyDatabase(boundDatabases())) await applyD1Migrations(db, env.TEST_MIGRATIONS);
}

/** A workspace's database; `DB` if the directory does not know it. */
export const homeOf = async (workspaceId: string): Promise<Home> =>
  (await findHome(boundDatabases(), DIRECTORY, workspaceId)) ?? DIRECTORY;

/** Like `homeOf`, for several workspaces. */
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
    // Follow at most as many forwarders as there are databases, so that a cycle ends.
    for (const _ of rows) {
      const next = forwarders.get(homes.get(workspaceId) ?? DIRECTORY)?.get(workspaceId);
      if (next !== undefined) homes.set(workspaceId, next);
    }
  }
  return homes;
}

/** The databases that have or had the workspace. */
export async function homesWith(workspaceId: string): Promise<ReadonlySet<Home>> {
  const homes = await Promise.all(
    everyDatabase(boundDatabases()).map(async ({ home, db }) =>
      (await placeOf.first(db, { workspaceId })) === null ? [] : [home],
    ),
  );
  return new Set(homes.flat());
}

/** The database with this name. Throws if it is not bound. */
export function boundDatabase(home: Home): D1Database {
  const db = databaseOf(boundDatabases(), home);
  if (db === null) throw new Error(`no database ${home} is bound`);
  return db;
}

/** The database of a workspace. */
export const databaseOfWorkspace = async (workspaceId: string): Promise<D1Database> =>
  boundDatabase(await homeOf(workspaceId));

/** A queue message for a workspace, with its shard. */
export async function messageOf<T extends object>(workspaceId: string, body: T): Promise<T> {
  const home = await homeOf(workspaceId);
  return home === DIRECTORY ? body : { ...body, shard: home };
}

/** SQL that finds the workspace of an id in a message. */
const WORKSPACE_OF: Readonly<Record<string, string>> = {
  jobId: "SELECT workspace_id FROM jobs WHERE job_id = ?1",
  deliveryId: "SELECT workspace_id FROM deliveries WHERE delivery_id = ?1",
  assetId: "SELECT workspace_id FROM assets WHERE asset_id = ?1",
};

/** A queue message with a job, delivery or asset id, with the shard of its workspace; other messages stay unchanged. */
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

/**
 * Matches the first table that a statement names, which decides the statement's database. That database also has the
 * joined rows, mirrored if necessary.
 */
const TABLE = /\b(?:from|into|update)\s+"?(\w+)/i;

/** Tables that only `DB` has; shards mirror some of them. */
const OF_DIRECTORY =
  /^(?:accounts|account_(?:credentials|sessions|events|devices|verifications)|workspace_(?:members|invitations|moves)|trial_claims)$/;

/** Index of the database of the first workspace among the values; `DB` for tables of the directory. */
async function placeOfWorkspaceIn({ sqls, values }: StatementBatch): Promise<number | null> {
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
 * All databases combined into one, for preparing and reading data. A statement with a workspace's id uses that
 * workspace's database. Any other statement uses the first database in which it finds or changes something. Without
 * shards, this is `DB`.
 */
export const anyDatabase = (): D1Database =>
  isOnShards()
    ? firstDatabase(
        everyDatabase(boundDatabases()).map(({ db }) => db),
        placeOfWorkspaceIn,
      )
    : env.DB;
