import { accept, type Outcome, type Refusal, refuse } from "../api/errors.ts";
import type { IdempotencyClaim } from "../idempotency/claim.ts";
import { rememberStatements } from "../idempotency/store.ts";
import { choosePayment, type PaidAccess, type Payment, spendable } from "../ledger/payment.ts";
import { consumptionStatements, isUncoveredError, readPaidAccess } from "../ledger/service.ts";
import { insertJob, insertOutputs, type Job, type NewJob } from "./store.ts";

/** How often the payment is chosen again after another job took what it was to be paid from. */
const PAYMENT_ATTEMPTS_MAX = 3;

const insufficient = (required: number, available: number): Refusal =>
  refuse("PAYMENT_REQUIRED", `The job costs ${required} credits and the workspace can spend ${available}.`, {
    required,
    available,
  });

/**
 * The job and its outputs. They follow the consumption event in the batch and depend on it: without that row no job is
 * inserted, and then the outputs fail on their foreign key and with them the whole batch.
 */
export const insertJobStatements = (db: D1Database, { plan, ...job }: NewJob): D1PreparedStatement[] => [
  insertJob.bind(db, { ...plan, ...job }),
  insertOutputs.bind(db, { jobId: job.jobId, sizeIds: JSON.stringify(plan.selectedSizeIds) }),
];

/**
 * Writes the Idempotency-Key, consumption, job and outputs in one batch; throws what made it fail, and then nothing
 * of it was kept. `guards` stand first.
 */
export async function writeJob(
  db: D1Database,
  claim: IdempotencyClaim,
  job: NewJob,
  payment: Payment,
  guards: readonly D1PreparedStatement[],
): Promise<Job> {
  const { workspaceId, jobId, costCredits, nowMs } = job;
  const results = await db.batch([
    ...guards,
    // Before the payment: an equal request at once must fail on this row, not on the money that this one spent.
    ...rememberStatements(db, claim, jobId, null),
    ...consumptionStatements(db, { workspaceId, jobId, cost: costCredits, payment, nowMs }),
    ...insertJobStatements(db, job),
  ]);
  // The last two are those of the job and of its outputs.
  const written = insertJob.row(results.at(-2));
  if (written === null) throw new Error("a committed job was not written");
  const { plan, artifactId, renderFingerprint, notifyDestinationId } = job;
  return {
    ...plan,
    ...written,
    jobId,
    artifactId,
    workspaceId,
    costCredits,
    renderFingerprint,
    notifyDestinationId,
    status: "queued",
    failureCode: null,
    failureMessage: null,
    isRefunded: false,
    outputsTotal: plan.selectedSizeIds.length,
    outputsDone: 0,
    startedAtMs: null,
    finishedAtMs: null,
  };
}

/**
 * Writes a job (`writeJob`). When another job spent the same money in between, the batch fails as a whole and the payment
 * is chosen again from what is left: 402 PAYMENT_REQUIRED when nothing covers it. `known` is the access as it was last
 * read.
 */
export async function reserveJob(
  db: D1Database,
  claim: IdempotencyClaim,
  job: NewJob,
  known: PaidAccess,
): Promise<Outcome<Job>> {
  const { workspaceId, costCredits, nowMs } = job;
  let available = 0;
  for (let attempt = 0; attempt < PAYMENT_ATTEMPTS_MAX; attempt += 1) {
    const access = attempt === 0 ? known : await readPaidAccess(db, workspaceId, nowMs);
    const payment = choosePayment(access, costCredits);
    available = spendable(access);
    if (payment === null) break;
    try {
      return accept(await writeJob(db, claim, job, payment, []));
    } catch (thrown) {
      if (!isUncoveredError(thrown)) throw thrown;
    }
  }
  return insufficient(costCredits, available);
}
