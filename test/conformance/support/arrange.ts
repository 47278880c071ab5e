import { SCOPES, type Scope } from "#api/scopes.ts";
import { prepareKey } from "#domains/keys/create-key.ts";
import { createWorkspace, grantStatement } from "#domains/workspaces/create-workspace.ts";
import { insertWorkspace } from "#domains/workspaces/store.ts";
import type { NamedDatabase } from "#platform/databases/databases.ts";
import { DIRECTORY, type Home } from "#platform/databases/shard-name.ts";
import { newId } from "#platform/ids.ts";
import type { Service } from "./service.ts";

/** An operator's setup before a customer calls: workspaces, credits and keys in any state. */

export interface SeededKey {
  readonly apiKeyId: string;
  readonly key: string;
}

export interface SeededWorkspace extends SeededKey {
  readonly workspaceId: string;
}

export interface WorkspaceSeed {
  readonly name?: string;
  readonly credits?: number;
  /** Additional grants of 1 credit, each a separate event. */
  readonly grants?: number;
  readonly quota?: number;
  readonly unlimited?: boolean;
  readonly kind?: "trial";
  readonly expiresAt?: number;
}

let placed = 0;

/** The database for the next workspace: the shards in turn, if there are any. */
function nextHome({ databases }: Service): NamedDatabase {
  const [directory, ...shards] = databases;
  const home = shards[placed % Math.max(1, shards.length)] ?? directory;
  placed += 1;
  if (home === undefined) throw new Error("a service without a database");
  return home;
}

/** Inserts the workspace's directory entry if it lives on a shard. */
async function enterDirectory({ databases }: Service, workspaceId: string, home: Home): Promise<void> {
  const [directory] = databases;
  if (home === DIRECTORY || directory === undefined) return;
  await directory.db
    .prepare(
      "INSERT INTO workspaces (workspace_id, name, kind, created_at, home) VALUES (?, 'Seeded', 'standard', 1, ?)",
    )
    .bind(workspaceId, home)
    .run();
}

/** Changes rows of the service's database directly. */
export const change = (
  { db }: Service,
  sql: string,
  ...values: readonly (string | number)[]
): Promise<unknown> =>
  db
    .prepare(sql)
    .bind(...values)
    .run();

export const expireArtifact = (service: Service, artifactId: string): Promise<unknown> =>
  change(service, "UPDATE artifacts SET expires_at = 1 WHERE artifact_id = ?", artifactId);

/** Makes an artifact's row disagree with its first file in storage. */
export const damageFirstFile = (service: Service, artifactId: string): Promise<unknown> =>
  change(
    service,
    "UPDATE artifacts SET files = json_set(files, '$[0].sha256', ?) WHERE artifact_id = ?",
    "0".repeat(64),
    artifactId,
  );

/** The database of a workspace. */
async function homeOf({ databases }: Service, workspaceId: string): Promise<NamedDatabase> {
  for (const database of databases) {
    const here = "SELECT 1 FROM workspaces WHERE workspace_id = ? AND home IS NULL";
    if ((await database.db.prepare(here).bind(workspaceId).first()) !== null) return database;
  }
  throw new Error("a workspace that lives nowhere");
}

export async function seedWorkspace(service: Service, seed: WorkspaceSeed): Promise<SeededWorkspace> {
  if (seed.kind === "trial") return seedEndedTrial(service, seed.expiresAt ?? 1);
  const database = nextHome(service);
  const { workspaceId, apiKey, secret } = await createWorkspace(
    { ...database, keyPepper: service.keyPepper },
    {
      name: seed.name ?? "Seeded",
      credits: seed.credits ?? 0,
      subscription: seed.quota === undefined ? null : { quotaLimit: seed.quota, period: "month" },
      hasUnlimitedAccess: seed.unlimited ?? false,
    },
    Date.now(),
  );
  await enterDirectory(service, workspaceId, database.home);
  for (let grant = 0; grant < (seed.grants ?? 0); grant += 1) {
    await grantStatement(database.db, workspaceId, 1, Date.now()).run();
  }
  return { workspaceId, apiKeyId: apiKey.apiKeyId, key: secret };
}

async function seedEndedTrial(service: Service, expiresAt: number): Promise<SeededWorkspace> {
  const workspaceId = newId();
  const trial = { workspaceId, name: "Trial", kind: "trial" as const, hasUnlimitedAccess: false };
  const { db, home } = nextHome(service);
  await insertWorkspace.run(db, { ...trial, createdAt: 1, expiresAt, home: null });
  await enterDirectory(service, workspaceId, home);
  return { workspaceId, ...(await seedKey(service, workspaceId, {})) };
}

export interface KeySeed {
  readonly scopes?: readonly string[];
  readonly expiresAt?: number;
  readonly revokedAt?: number;
}

const isScope = (scope: string): scope is Scope => SCOPES.some((known) => known === scope);

export async function seedKey(service: Service, workspaceId: string, seed: KeySeed): Promise<SeededKey> {
  const database = await homeOf(service, workspaceId);
  const prepared = await prepareKey(
    { ...database, keyPepper: service.keyPepper },
    {
      workspaceId,
      name: "Seeded key",
      kind: "live",
      scopes: seed.scopes?.filter(isScope) ?? SCOPES,
      expiresAt: seed.expiresAt ?? null,
      nowMs: Date.now(),
    },
  );
  await prepared.statement.run();
  const { apiKeyId } = prepared.apiKey;
  if (seed.revokedAt !== undefined) {
    const revoke = service.db.prepare("UPDATE api_keys SET revoked_at = ? WHERE api_key_id = ?");
    await revoke.bind(seed.revokedAt, apiKeyId).run();
  }
  return { apiKeyId, key: prepared.secret };
}
