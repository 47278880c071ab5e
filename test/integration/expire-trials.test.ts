import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { LIMITS } from "#api/limits.ts";
import { type ClaimedTrial, claimTrial } from "#domains/workspaces/claim-trial.ts";
import { expireTrials } from "#domains/workspaces/store.ts";
import { newId } from "#platform/ids.ts";
import { selectRow, selectRows } from "../support/database.ts";
import { failAndRefund, paidJobId, readEvents, readStored, spend } from "../support/ledger.ts";
import { createWorkspace, keyDatabase } from "../support/workspace.ts";

const ROWS = 500;

async function claimed(identityHash = newId(), nowMs = Date.now()): Promise<ClaimedTrial> {
  const trial = await claimTrial(keyDatabase(), identityHash, nowMs);
  if (!trial.ok) throw new Error(trial.code);
  return trial.value;
}

const expiriesOf = async (workspaceId: string) =>
  (await readEvents(workspaceId))
    .filter(({ type }) => type === "expiry")
    .map(({ amount, balance_after }) => [amount, balance_after]);

describe("API §16.1 the end of a trial", () => {
  it("expires the remaining credits once, however often and concurrently the sweep runs", async () => {
    const { workspaceId, expiresAt } = await claimed();
    await paidJobId(spend(workspaceId, 2, expiresAt - 1));
    await Promise.all(Array.from({ length: 5 }, () => expireTrials(env.DB, expiresAt, ROWS)));
    await expireTrials(env.DB, expiresAt + 60_000, ROWS);
    expect(await expiriesOf(workspaceId)).toEqual([[-3, 0]]);
    expect((await readStored(workspaceId)).credits).toBe(0);
  });

  it("does not affect trials that have a millisecond left, nor standard workspaces", async () => {
    const [trial, standard] = await Promise.all([claimed(), createWorkspace({ credits: 9 })]);
    await expireTrials(env.DB, trial.expiresAt - 1, ROWS);
    expect((await readStored(trial.workspaceId)).credits).toBe(LIMITS.trialCredits);
    await expireTrials(env.DB, trial.expiresAt, ROWS);
    expect((await readStored(trial.workspaceId)).credits).toBe(0);
    expect((await readStored(standard.workspaceId)).credits).toBe(9);
  });

  it("expires a later refund by a second event, never below zero", async () => {
    const { workspaceId, expiresAt } = await claimed();
    const jobId = await paidJobId(spend(workspaceId, 5, expiresAt - 1));
    await expireTrials(env.DB, expiresAt, ROWS);
    expect(await expiriesOf(workspaceId)).toEqual([]);
    await failAndRefund(jobId, expiresAt + 1);
    await expireTrials(env.DB, expiresAt + 2, ROWS);
    expect(await expiriesOf(workspaceId)).toEqual([[-5, 0]]);
    await expireTrials(env.DB, expiresAt + 3, ROWS);
    expect((await readStored(workspaceId)).credits).toBe(0);
  });

  it("is handled for trials up to the limit, and for the rest in later runs", async () => {
    // So early that the sweep handles these trials first and no others.
    const nowMs = 1_000_000;
    const trials = await Promise.all(Array.from({ length: 5 }, () => claimed(newId(), nowMs)));
    const endMs = nowMs + LIMITS.trialLifetimeMs;
    expect([
      await expireTrials(env.DB, endMs, 2),
      await expireTrials(env.DB, endMs, 2),
      await expireTrials(env.DB, endMs, 2),
      await expireTrials(env.DB, endMs, 2),
    ]).toEqual([2, 2, 1, 0]);
    for (const { workspaceId } of trials) expect(await expiriesOf(workspaceId)).toEqual([[-5, 0]]);
  });

  it("deletes the identity's hash", async () => {
    const identityHash = newId();
    const { expiresAt } = await claimed(identityHash);
    const find = () => selectRow`SELECT 1 AS found FROM trial_claims WHERE identity_hash = ${identityHash}`;
    await expireTrials(env.DB, expiresAt - 1, ROWS);
    expect(await find()).not.toBeNull();
    await expireTrials(env.DB, expiresAt, ROWS);
    expect(await find()).toBeNull();
  });

  it("is handled without reading trials that have nothing to expire", async () => {
    const results = await selectRows<{
      detail: string;
    }>`EXPLAIN QUERY PLAN SELECT workspace_id FROM workspaces w
       WHERE expires_at IS NOT NULL AND credits > 0 AND expires_at <= ${Date.now()} LIMIT ${ROWS}`;
    expect(results.map(({ detail }) => detail).join()).toContain("workspaces_expiring_credits");
  });
});
