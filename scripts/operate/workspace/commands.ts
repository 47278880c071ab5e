import { LIMITS } from "#api/limits.ts";
import type { Scope } from "#api/scopes.ts";
import { causeOfService } from "#domains/audit/audit-store.ts";
import { cancelJob } from "#domains/jobs/end-job.ts";
import { findJobsToRerun, rerunJob } from "#domains/jobs/rerun-job.ts";
import { presentKey } from "#domains/keys/api-key.ts";
import { auditNewKey, prepareKey } from "#domains/keys/create-key.ts";
import { presentRevocation, revokeKey } from "#domains/keys/manage-keys.ts";
import { keysActiveFirst } from "#domains/keys/store.ts";
import type { Period } from "#domains/ledger/period.ts";
import { presentBalance, presentEvent } from "#domains/ledger/present.ts";
import { readPaidAccess } from "#domains/ledger/service.ts";
import { eventsPage } from "#domains/ledger/store.ts";
import { type ChangedAccess, changeAccess } from "#domains/workspaces/change-access.ts";
import { createWorkspace, type GrantCause, grantStatement } from "#domains/workspaces/create-workspace.ts";
import { setSuspended, workspaceById } from "#domains/workspaces/store.ts";
import { toTimestamp, toTimestampOrNull } from "#platform/clock.ts";
import { chooseHome } from "#platform/databases/choose-shard.ts";
import { databaseOf, everyDatabase } from "#platform/databases/databases.ts";
import { latest } from "#platform/db/reader.ts";
import { Failure } from "../../local/failure.ts";
import { readKeySecrets } from "./key-secrets.ts";
import type { OperatorDatabase } from "./operator-database.ts";

export type Access =
  | { readonly kind: "credits"; readonly credits: number }
  | { readonly kind: "subscription"; readonly quotaLimit: number; readonly period: Period }
  | { readonly kind: "unlimited" };

interface WorkspaceChoice {
  readonly workspaceId: string;
}

interface JobChoice extends WorkspaceChoice {
  readonly jobId: string;
}

interface GrantChoice extends WorkspaceChoice {
  readonly credits: number;
  readonly cause: GrantCause;
}

interface KeyChoice extends WorkspaceChoice {
  readonly keyName: string;
  readonly scopes: readonly Scope[];
}

interface RevokeChoice extends WorkspaceChoice {
  readonly apiKeyId: string;
  /** Whether the active keys that this key created are revoked too. */
  readonly isCascade: boolean;
}

const EVENTS_SHOWN = 10;
/** Enough for all active keys (at most `activeKeysPerWorkspaceMax`) and about as many revoked or expired keys. */
const KEYS_SHOWN_MAX = 200;
const FAILED_JOBS_SHOWN_MAX = 500;

async function findOrFail(db: D1Database, workspaceId: string) {
  const workspace = await workspaceById.first(db, { workspaceId });
  if (workspace === null) throw new Failure(`There is no workspace ${workspaceId}.`);
  return workspace;
}

const balanceOf = async (db: D1Database, workspaceId: string, nowMs: number) =>
  presentBalance(await readPaidAccess(db, workspaceId, nowMs));

const planOf = (access: Access) => ({
  credits: access.kind === "credits" ? access.credits : 0,
  subscription: access.kind === "subscription" ? access : null,
  hasUnlimitedAccess: access.kind === "unlimited",
});

/** The new workspace, its first key's secret (shown only here) and its balance. */
export async function create(
  { databases, target, nowMs }: OperatorDatabase,
  choice: { readonly workspaceName: string; readonly access: Access },
) {
  const keySecrets = await readKeySecrets(target);
  const plan = { name: choice.workspaceName, ...planOf(choice.access) };
  const home = await chooseHome(databases);
  const db = databaseOf(databases, home);
  if (db === null) throw new Error(`no database ${home} is bound`);
  const place = { db, home, ...keySecrets, directory: databases.directory };
  const { workspaceId, apiKey, secret } = await createWorkspace(place, plan, nowMs);
  return {
    workspaceId,
    name: plan.name,
    apiKeyId: apiKey.apiKeyId,
    secret,
    scopes: apiKey.scopes,
    balance: await balanceOf(db, workspaceId, nowMs),
  };
}

/** The balance after the grant; `granted` is 0 if the reference had already been granted. */
export async function grant({ db, nowMs }: OperatorDatabase, { workspaceId, credits, cause }: GrantChoice) {
  const { expiresAt } = await findOrFail(db, workspaceId);
  if (expiresAt !== null && expiresAt <= nowMs) {
    throw new Failure("This trial workspace has ended; what it is granted would expire at once.");
  }
  const { meta } = await grantStatement(db, workspaceId, credits, nowMs, cause).run();
  return {
    workspaceId,
    granted: meta.changes > 0 ? credits : 0,
    balance: await balanceOf(db, workspaceId, nowMs),
  };
}

/** The balance after the change. */
export async function setAccess(
  { db, nowMs }: OperatorDatabase,
  { workspaceId, access }: WorkspaceChoice & { readonly access: ChangedAccess },
) {
  const { expiresAt } = await findOrFail(db, workspaceId);
  if (expiresAt !== null) throw new Failure("A trial workspace pays with its trial credits alone.");
  const changed = await changeAccess(db, workspaceId, access, nowMs);
  if (!changed.ok) throw new Failure(changed.message);
  return { workspaceId, balance: await balanceOf(db, workspaceId, nowMs) };
}

/** The new key with its secret, which is shown only here. */
export async function addKey(
  { db, home, target, nowMs }: OperatorDatabase,
  { workspaceId, keyName, scopes }: KeyChoice,
) {
  const { expiresAt } = await findOrFail(db, workspaceId);
  if (expiresAt !== null) throw new Failure("A trial workspace has the one key that it was claimed with.");
  const keys = await keysActiveFirst.all(db, { workspaceId, nowMs, limit: KEYS_SHOWN_MAX });
  const active = keys.filter((row) => presentKey(row, nowMs).status === "active");
  if (active.length >= LIMITS.activeKeysPerWorkspaceMax) {
    throw new Failure(`The workspace has ${active.length} active keys already; revoke one first.`);
  }
  const keySecrets = await readKeySecrets(target);
  const plan = { workspaceId, name: keyName, kind: "live", scopes, expiresAt: null, nowMs } as const;
  const { apiKey, secret, statement } = await prepareKey({ db, home, ...keySecrets }, plan);
  await db.batch([statement, auditNewKey(db, { workspaceId, ...apiKey }, causeOfService("operator", nowMs))]);
  return { workspaceId, apiKeyId: apiKey.apiKeyId, name: keyName, secret, scopes };
}

/** Jobs that failed because of the service and were not rerun, oldest first. */
export async function failedJobs({ databases }: OperatorDatabase, { sinceMs }: { readonly sinceMs: number }) {
  const found = await Promise.all(
    everyDatabase(databases).map(({ db }) => findJobsToRerun(db, sinceMs, FAILED_JOBS_SHOWN_MAX)),
  );
  const jobs = found
    .flat()
    .toSorted((one, other) => one.finishedAtMs - other.finishedAtMs)
    .slice(0, FAILED_JOBS_SHOWN_MAX);
  return {
    isTruncated: jobs.length === FAILED_JOBS_SHOWN_MAX,
    jobs: jobs.map(({ finishedAtMs, ...job }) => ({ ...job, failedAt: toTimestamp(finishedAtMs) })),
  };
}

/** Cancels a queued job. Returns the job's status and the balance. */
export async function cancel({ db, nowMs }: OperatorDatabase, { workspaceId, jobId }: JobChoice) {
  const canceled = await cancelJob(db, { workspaceId, jobId, livemode: true }, nowMs);
  if (!canceled.ok) throw new Failure(canceled.message);
  const { status } = canceled.value;
  return { workspaceId, jobId, status, balance: await balanceOf(db, workspaceId, nowMs) };
}

/** Runs a failed job again. Returns the new job that replaces it. */
export async function rerun({ db, nowMs }: OperatorDatabase, { workspaceId, jobId }: JobChoice) {
  await findOrFail(db, workspaceId);
  const outcome = await rerunJob(db, workspaceId, jobId, nowMs);
  if (!outcome.ok) throw new Failure(outcome.message);
  const { job, isNew } = outcome.value;
  return { workspaceId, failedJobId: jobId, jobId: job.jobId, status: job.status, isNew };
}

/** Suspends the workspace: its keys stop working, and its members can only read. Returns the time of suspension. */
export async function suspend({ db, nowMs }: OperatorDatabase, { workspaceId }: WorkspaceChoice) {
  await findOrFail(db, workspaceId);
  await setSuspended.run(db, { workspaceId, sinceMs: nowMs });
  const { suspendedAt } = await findOrFail(db, workspaceId);
  return { workspaceId, suspendedAt: toTimestampOrNull(suspendedAt) };
}

/** Ends the workspace's suspension. */
export async function resume({ db }: OperatorDatabase, { workspaceId }: WorkspaceChoice) {
  await findOrFail(db, workspaceId);
  await setSuspended.run(db, { workspaceId, sinceMs: null });
  return { workspaceId, suspendedAt: null };
}

/** The workspace, its balance, its keys without secrets and its latest ledger events. */
export async function show({ db, nowMs }: OperatorDatabase, { workspaceId }: WorkspaceChoice) {
  const { name, kind, createdAt, expiresAt, suspendedAt } = await findOrFail(db, workspaceId);
  const keys = await keysActiveFirst.all(db, { workspaceId, nowMs, limit: KEYS_SHOWN_MAX });
  const newest = { workspaceId, beforeEventId: Number.MAX_SAFE_INTEGER, limit: EVENTS_SHOWN };
  const events = await eventsPage.all(latest(db), newest);
  return {
    workspaceId,
    name,
    kind,
    createdAt: toTimestamp(createdAt),
    expiresAt: toTimestampOrNull(expiresAt),
    suspendedAt: toTimestampOrNull(suspendedAt),
    balance: await balanceOf(db, workspaceId, nowMs),
    keys: keys.map((row) => presentKey(row, nowMs)),
    areKeysCutOff: keys.length === KEYS_SHOWN_MAX,
    latestEvents: events.map(presentEvent),
  };
}

/** The revoked key and the active keys that it created, revoked too if requested. */
export async function revoke(
  { db, nowMs }: OperatorDatabase,
  { workspaceId, apiKeyId, isCascade }: RevokeChoice,
) {
  const revoked = await revokeKey(
    db,
    { workspaceId, livemode: true },
    apiKeyId,
    isCascade,
    causeOfService("operator", nowMs),
  );
  if (!revoked.ok) throw new Failure(`Workspace ${workspaceId} has no API key ${apiKeyId}.`);
  const { descendants, ...key } = presentRevocation(revoked.value, nowMs);
  return { workspaceId, key, descendants };
}
