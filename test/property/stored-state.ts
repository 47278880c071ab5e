import { expect } from "vitest";
import { boundDatabase, homesOf } from "../support/homes.ts";
import type { Model } from "./model.ts";

/** Reads the stored state in the model's form, and checks the invariants of the ledger and the pipeline. */

interface StoredWorkspace {
  readonly workspaceId: string;
  readonly credits: number;
  readonly quotaUsed: number;
  readonly jobs: Readonly<Record<string, string>>;
  readonly assets: Readonly<Record<string, string>>;
  readonly revoked: number;
  readonly remembered: number;
}

/**
 * Queries that return one row per broken invariant (src/domains/ledger/README.md, src/domains/jobs/README.md). There
 * are two, because D1 allows at most five terms in a compound SELECT.
 */
const BROKEN_MONEY = `WITH w AS (SELECT value AS id FROM json_each(?1))
  SELECT 'balance' AS what, workspace_id AS id FROM workspaces WHERE workspace_id IN (SELECT id FROM w)
    AND (credits < 0 OR credits <> (SELECT COALESCE(SUM(amount), 0) FROM ledger_events e
      WHERE e.workspace_id = workspaces.workspace_id AND source = 'credits'))
  UNION ALL SELECT 'consumption', job_id FROM jobs WHERE workspace_id IN (SELECT id FROM w) AND 1 <> (
    SELECT COUNT(*) FROM ledger_events e WHERE e.job_id = jobs.job_id AND type = 'consumption'
      AND amount = -jobs.cost_credits)
  UNION ALL SELECT 'refund', job_id FROM jobs WHERE workspace_id IN (SELECT id FROM w)
    AND (status IN ('failed', 'canceled')) <> (
    SELECT COUNT(*) FROM ledger_events e JOIN ledger_events c ON c.job_id = e.job_id AND c.type = 'consumption'
    WHERE e.job_id = jobs.job_id AND e.type = 'refund' AND e.amount = -c.amount AND e.source = c.source)
  UNION ALL SELECT 'usage', workspace_id FROM workspaces WHERE workspace_id IN (SELECT id FROM w)
    AND (SELECT json_array(COALESCE(SUM(jobs), 0), COALESCE(SUM(consumed), 0), COALESCE(SUM(refunded), 0))
      FROM usage_days u WHERE u.workspace_id = workspaces.workspace_id)
    <> (SELECT json_array(COALESCE(SUM(type = 'consumption'), 0), COALESCE(SUM(iif(type = 'consumption', -amount, 0)), 0),
        COALESCE(SUM(iif(type = 'refund', amount, 0)), 0))
      FROM ledger_events e WHERE e.workspace_id = workspaces.workspace_id)
  UNION ALL SELECT 'foreign rows', event_id FROM ledger_events e JOIN jobs ON jobs.job_id = e.job_id
    WHERE jobs.workspace_id IN (SELECT id FROM w) AND e.workspace_id <> jobs.workspace_id`;

const BROKEN_WORK = `WITH w AS (SELECT value AS id FROM json_each(?1))
  SELECT 'artifact' AS what, job_id AS id FROM jobs WHERE workspace_id IN (SELECT id FROM w)
    AND ((status = 'succeeded') <> (SELECT COUNT(*) FROM artifacts a WHERE a.job_id = jobs.job_id)
      OR EXISTS (SELECT 1 FROM artifacts a WHERE a.job_id = jobs.job_id AND (a.status <> 'ready'
        OR a.workspace_id <> jobs.workspace_id)))
  UNION ALL SELECT 'files', job_id FROM jobs WHERE workspace_id IN (SELECT id FROM w) AND status = 'succeeded'
    AND json_array_length(selected_size_ids) <> (
    SELECT json_array_length(files) FROM artifacts a WHERE a.artifact_id = jobs.artifact_id)
  UNION ALL SELECT 'one effect a key', idempotency_key FROM idempotency_keys k
    WHERE workspace_id IN (SELECT id FROM w) AND operation = 'POST /api/v1/jobs' AND 1 <> (
    SELECT COUNT(*) FROM jobs WHERE jobs.job_id = k.resource_id AND jobs.workspace_id = k.workspace_id)
  UNION ALL SELECT 'job without key', job_id FROM jobs WHERE workspace_id IN (SELECT id FROM w) AND 1 <> (
    SELECT COUNT(*) FROM idempotency_keys k WHERE k.resource_id = jobs.job_id AND k.workspace_id = jobs.workspace_id)`;

const STATE = `SELECT workspaces.workspace_id AS workspaceId, credits, COALESCE(quota_used, 0) AS quotaUsed,
    (SELECT json_group_object(job_id, status) FROM jobs WHERE jobs.workspace_id = workspaces.workspace_id) AS jobs,
    (SELECT json_group_object(asset_id, iif(deleted_at IS NULL, status, 'deleted')) FROM assets
      WHERE assets.workspace_id = workspaces.workspace_id) AS assets,
    (SELECT COUNT(*) FROM api_keys k WHERE k.workspace_id = workspaces.workspace_id AND revoked_at IS NOT NULL)
      AS revoked,
    (SELECT COUNT(*) FROM idempotency_keys k WHERE k.workspace_id = workspaces.workspace_id) AS remembered
  FROM workspaces LEFT JOIN subscriptions s ON s.workspace_id = workspaces.workspace_id
  WHERE workspaces.workspace_id IN (SELECT value FROM json_each(?1))`;

type StateRow = Omit<StoredWorkspace, "jobs" | "assets"> & { readonly jobs: string; readonly assets: string };

/** Reads the state of the model's workspaces, each from its database; throws if an invariant is broken. */
export async function readState({ workspaces }: Model): Promise<ReadonlyMap<string, StoredWorkspace>> {
  const homes = await homesOf(workspaces.map(({ workspaceId }) => workspaceId));
  const stored = await Promise.all(
    [...Map.groupBy(homes, ([, home]) => home)].map(([home, there]) =>
      readStateAt(boundDatabase(home), JSON.stringify(there.map(([workspaceId]) => workspaceId))),
    ),
  );
  return new Map(stored.flat().map((workspace) => [workspace.workspaceId, workspace]));
}

async function readStateAt(db: D1Database, ids: string): Promise<readonly StoredWorkspace[]> {
  const [money, work, rows] = await db.batch<StateRow>([
    db.prepare(BROKEN_MONEY).bind(ids),
    db.prepare(BROKEN_WORK).bind(ids),
    db.prepare(STATE).bind(ids),
  ]);
  expect([...(money?.results ?? []), ...(work?.results ?? [])], "promises broken").toEqual([]);
  return (rows?.results ?? []).map((row) => ({
    ...row,
    jobs: JSON.parse(row.jobs),
    assets: JSON.parse(row.assets),
  }));
}

/** The model in the form of `readState`. */
const expectedState = ({ workspaces }: Model): ReadonlyMap<string, StoredWorkspace> =>
  new Map(
    workspaces.map((workspace) => [
      workspace.workspaceId,
      {
        workspaceId: workspace.workspaceId,
        credits: workspace.credits,
        quotaUsed: workspace.quotaUsed,
        jobs: Object.fromEntries(workspace.jobs.map(({ jobId, status }) => [jobId, status])),
        assets: Object.fromEntries(
          workspace.assets.map(({ assetId, status, isDeleted }) => [assetId, isDeleted ? "deleted" : status]),
        ),
        revoked: workspace.keys.filter(({ isRevoked }) => isRevoked).length,
        remembered: workspace.remembered.size,
      },
    ]),
  );

/** Compares the stored state with the model and checks the invariants. */
export async function expectAgreement(model: Model): Promise<void> {
  expect(await readState(model)).toEqual(expectedState(model));
}
