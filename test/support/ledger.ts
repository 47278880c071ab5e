import { LIMITS } from "#api/limits.ts";
import { insertJobStatement } from "#domains/jobs/create-job.ts";
import { choosePayment } from "#domains/ledger/payment.ts";
import {
  consumptionStatements,
  insertRefund,
  isUncoveredError,
  readPaidAccess,
} from "#domains/ledger/service.ts";
import { newId } from "#platform/ids.ts";
import { selectRow, selectRows } from "./database.ts";
import { anyDatabase, databaseOfWorkspace } from "./homes.ts";

/** Spends and refunds credits as jobs do, without rendering. */

/** More attempts than real job creation makes, so that concurrent spending never exhausts them in a test. */
const ATTEMPTS_MAX = 100;

/** The API key and contract of the job that is paid. */
interface Spender {
  readonly apiKeyId?: string | null;
  readonly contractId?: string;
}

/**
 * Pays for a job of `cost` and inserts it in one batch. Returns its id, or null without enough credits. The job counts
 * as ended, so that no sweep handles it.
 */
export async function spend(
  workspaceId: string,
  cost: number,
  nowMs = Date.now(),
  { apiKeyId = null, contractId = "display.v1" }: Spender = {},
): Promise<string | null> {
  const db = await databaseOfWorkspace(workspaceId);
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const payment = choosePayment(await readPaidAccess(db, workspaceId, nowMs), cost);
    if (payment === null) return null;
    const jobId = newId();
    try {
      await db.batch([
        ...consumptionStatements(db, {
          workspaceId,
          jobId,
          cost,
          description: "Job reserved",
          payment,
          nowMs,
        }),
        insertJobStatement(db, {
          jobId,
          artifactId: newId(),
          workspaceId,
          livemode: true,
          plan: {
            contractId,
            motion: "static",
            outputFormat: "png",
            network: null,
            clickUrl: null,
            selectedSizeIds: ["iab-300x250"],
            assetIds: {},
            copy: {},
            brand: {},
            brandAssetIds: {},
            buttonStyle: null,
            look: "classic",
            variant: 1,
            composition: "auto",
            scale: 1,
            placements: {},
            overrides: {},
          },
          inputs: {},
          ...{ brandId: null, name: null, versionOf: null },
          ...{ notifyDestinationId: null, imageHash: null },
          costCredits: cost,
          renderFingerprint: "0".repeat(64),
          apiKeyId,
          queuedMessagesMax: LIMITS.queuedMessagesMax,
          nowMs,
        }),
        db.prepare("UPDATE jobs SET status = 'succeeded' WHERE job_id = ?1").bind(jobId),
      ]);
      return jobId;
    } catch (thrown) {
      if (!isUncoveredError(thrown)) throw thrown;
    }
  }
  throw new Error("the payment was uncovered too often");
}

/** The id of a job that was paid; throws if the credits did not cover it. */
export async function paidJobId(spending: Promise<string | null>): Promise<string> {
  const jobId = await spending;
  if (jobId === null) throw new Error("nothing covers the job");
  return jobId;
}

/** Fails and refunds a job in one batch. May be repeated. */
export async function failAndRefund(jobId: string, nowMs = Date.now()): Promise<void> {
  const db = anyDatabase();
  await db.batch([
    db.prepare("UPDATE jobs SET status = 'failed', finished_at = ?2 WHERE job_id = ?1").bind(jobId, nowMs),
    insertRefund.bind(db, { jobId, description: "Job failed", nowMs, canceledOf: null }),
  ]);
}

export interface EventRow {
  readonly event_id: number;
  readonly type: string;
  readonly amount: number;
  readonly source: string;
  readonly balance_after: number | null;
  readonly job_id: string | null;
}

/** The workspace's events, oldest first. */
export const readEvents = (workspaceId: string): Promise<EventRow[]> => selectRows<EventRow>`
  SELECT event_id, type, amount, source, balance_after, job_id FROM ledger_events
  WHERE workspace_id = ${workspaceId} ORDER BY event_id`;

/** Stored credits and quota. */
export async function readStored(workspaceId: string) {
  const row = await selectRow<{
    credits: number;
    quotaUsed: number | null;
    periodStart: number | null;
    periodEnd: number | null;
  }>`SELECT w.credits, s.quota_used AS quotaUsed, s.period_start AS periodStart, s.period_end AS periodEnd
     FROM workspaces w LEFT JOIN subscriptions s ON s.workspace_id = w.workspace_id WHERE w.workspace_id = ${workspaceId}`;
  if (row === null) throw new Error("no such workspace");
  return row;
}
