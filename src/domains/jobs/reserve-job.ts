import { accept, type Outcome, type Refusal, refuse } from "#api/errors.ts";
import { isGuardViolation } from "#platform/db/guard.ts";
import { latest } from "#platform/db/reader.ts";
import type { IdempotencyClaim } from "../idempotency/claim.ts";
import { rememberStatements } from "../idempotency/store.ts";
import { type BudgetAtOrder, findBudgetRefusal } from "../keys/budget.ts";
import { assertKeyBudget, budgetOfKey } from "../keys/budget-store.ts";
import { choosePayment, type PaidAccess, type Payment, spendable } from "../ledger/payment.ts";
import { consumptionStatements, isUncoveredError, readPaidAccess } from "../ledger/service.ts";
import { partsOf } from "./part-store.ts";
import { insertJob, type Job, type NewJob } from "./store.ts";

/** How often a job is tried again after another took what it was to be paid from, or the rest of its key's budget. */
const ATTEMPTS_MAX = 3;

const insufficient = (required: number, available: number): Refusal =>
  refuse("PAYMENT_REQUIRED", `The job costs ${required} credits and the workspace can spend ${available}.`, {
    required,
    available,
  });

/** The job. It follows its consumption event in the batch, and without that row nothing is inserted. */
export const insertJobStatement = (db: D1Database, { plan, ...job }: NewJob): D1PreparedStatement =>
  insertJob.bind(db, { ...plan, ...job, messages: partsOf(plan).length });

/**
 * Writes the Idempotency-Key, consumption and job in one batch; throws what made it fail, and then nothing
 * of it was kept. `guards` stand first, and that of the key's budget last: it looks at what was spent with this job.
 */
export async function writeJob(
  db: D1Database,
  claim: IdempotencyClaim,
  job: NewJob,
  payment: Payment,
  guards: readonly D1PreparedStatement[],
): Promise<Job> {
  const { workspaceId, jobId, costCredits, nowMs } = job;
  const payments = [
    ...guards,
    // Before the payment: an equal request at once must fail on this row, not on the money that this one spent.
    ...rememberStatements(db, claim, jobId, null),
    ...consumptionStatements(db, { workspaceId, jobId, cost: costCredits, payment, nowMs }),
  ];
  const results = await db.batch([
    ...payments,
    insertJobStatement(db, job),
    ...(job.apiKeyId === null ? [] : [assertKeyBudget.bind(db, { jobId })]),
  ]);
  const written = insertJob.row(results[payments.length]);
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
    archive: null,
    outputsTotal: plan.selectedSizeIds.length,
    outputsDone: 0,
    startedAtMs: null,
    finishedAtMs: null,
  };
}

/** What a job may be paid with, as it was last read. */
export interface Means {
  readonly access: PaidAccess;
  /** Of the key that orders; null where none does. */
  readonly budget: BudgetAtOrder | null;
}

const readBudget = async (
  db: D1Database,
  { apiKeyId, workspaceId, nowMs }: NewJob,
): Promise<BudgetAtOrder | null> =>
  apiKeyId === null ? null : budgetOfKey.first(latest(db), { apiKeyId, workspaceId, nowMs });

/**
 * Writes a job (`writeJob`). When another job spent the same money or the rest of the key's budget in between, the batch
 * fails as a whole and what is left is read: 402 BUDGET_EXHAUSTED when it is more than the key may spend, 402
 * PAYMENT_REQUIRED when nothing covers it.
 */
export async function reserveJob(
  db: D1Database,
  claim: IdempotencyClaim,
  job: NewJob,
  known: Means,
): Promise<Outcome<Job>> {
  const { workspaceId, costCredits, nowMs } = job;
  let { access, budget } = known;
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const refusal = findBudgetRefusal(budget, costCredits);
    if (refusal !== null) return refusal;
    const payment = choosePayment(access, costCredits);
    if (payment === null) break;
    try {
      return accept(await writeJob(db, claim, job, payment, []));
    } catch (thrown) {
      if (isGuardViolation(thrown, "key_budget")) budget = await readBudget(db, job);
      else if (isUncoveredError(thrown)) access = await readPaidAccess(db, workspaceId, nowMs);
      else throw thrown;
    }
  }
  return insufficient(costCredits, spendable(access));
}
