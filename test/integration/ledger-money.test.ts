import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { insertRefund } from "#domains/ledger/service.ts";
import { insertCreditEvent } from "#domains/ledger/store.ts";
import { newId } from "#platform/ids.ts";
import { covered, failAndRefund, readEvents, readStored, spend } from "../support/ledger.ts";
import { createWorkspace } from "../support/workspace.ts";

/** Guarantee: credits are the sum of the ledger whatever runs at once, and no credit is spent or given back twice. */

const RANDOM_ROUNDS = 12;
const OPERATIONS_AT_ONCE = 12;

/** Numbers in [0, 1) that a seed repeats: a linear congruence modulo 2^32, of which the high bits are used. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state >>> 8) / 2 ** 24;
  };
}

const grant = (workspaceId: string, credits: number) =>
  insertCreditEvent
    .bind(env.DB, {
      workspaceId,
      type: "grant",
      amount: credits,
      reference: `test:${newId()}`,
      description: "Granted",
      nowMs: Date.now(),
    })
    .run();

/** What must hold of every workspace's credits, whatever happened to them. */
async function expectTrueLedger(workspaceId: string): Promise<void> {
  const events = await readEvents(workspaceId);
  let balance = 0;
  for (const event of events.filter(({ source }) => source === "credits")) {
    balance += event.amount;
    expect(balance).toBeGreaterThanOrEqual(0);
    expect(event.balance_after).toBe(balance);
  }
  expect((await readStored(workspaceId)).credits).toBe(balance);
  const consumptions = events.filter(({ type }) => type === "consumption");
  expect(new Set(consumptions.map((event) => event.job_id)).size).toBe(consumptions.length);
  for (const refund of events.filter(({ type }) => type === "refund")) {
    const consumed = consumptions.filter((event) => event.job_id === refund.job_id);
    expect(consumed.map((event) => event.amount)).toEqual([-refund.amount]);
    expect(events.filter(({ type, job_id }) => type === "refund" && job_id === refund.job_id)).toHaveLength(
      1,
    );
  }
}

describe("credits under concurrency", () => {
  it("a job that ends 20 times at once is refunded once", async () => {
    const { workspaceId } = await createWorkspace({ credits: 4 });
    const jobId = await covered(spend(workspaceId, 3));
    await Promise.all(Array.from({ length: 20 }, () => failAndRefund(jobId)));
    expect((await readStored(workspaceId)).credits).toBe(4);
    expect((await readEvents(workspaceId)).map(({ type, amount }) => [type, amount])).toEqual([
      ["grant", 4],
      ["consumption", -3],
      ["refund", 3],
    ]);
    await expectTrueLedger(workspaceId);
  });

  it("grants, jobs and refunds in random order leave the ledger true", async () => {
    const seed = crypto.getRandomValues(new Uint32Array(1))[0] ?? 1;
    console.log(`ledger seed ${seed}`);
    const random = randomOf(seed);
    const { workspaceId } = await createWorkspace({ credits: 5 });
    const expected = { credits: 5 };
    const spent: { jobId: string; cost: number }[] = [];
    for (let round = 0; round < RANDOM_ROUNDS; round += 1) {
      const endable = spent.splice(0);
      const operations = Array.from({ length: OPERATIONS_AT_ONCE }, async () => {
        const choice = random();
        if (choice < 0.2) {
          const credits = 1 + Math.floor(random() * 4);
          await grant(workspaceId, credits);
          expected.credits += credits;
        } else if (choice < 0.7) {
          const cost = 1 + Math.floor(random() * 3);
          const jobId = await spend(workspaceId, cost);
          if (jobId === null) return;
          expected.credits -= cost;
          spent.push({ jobId, cost });
        } else {
          const ended = endable.pop();
          if (ended === undefined) return;
          await Promise.all([failAndRefund(ended.jobId), failAndRefund(ended.jobId)]);
          expected.credits += ended.cost;
        }
      });
      await Promise.all(operations);
      spent.push(...endable);
      expect((await readStored(workspaceId)).credits, `seed ${seed}, round ${round}`).toBe(expected.credits);
    }
    await expectTrueLedger(workspaceId);
  });
});

describe("refunds", () => {
  it.each(["queued", "running", "succeeded"])("a job that is %s gets none", async (status) => {
    const { workspaceId } = await createWorkspace({ credits: 1 });
    const jobId = await covered(spend(workspaceId, 1));
    const setStatus = env.DB.prepare("UPDATE jobs SET status = ?2 WHERE job_id = ?1");
    await env.DB.batch([
      setStatus.bind(jobId, status),
      insertRefund.bind(env.DB, { jobId, description: "Too early", nowMs: Date.now(), canceledOf: null }),
      setStatus.bind(jobId, "canceled"),
    ]);
    expect((await readStored(workspaceId)).credits).toBe(0);
    expect((await readEvents(workspaceId)).map(({ type }) => type)).toEqual(["grant", "consumption"]);
  });

  it("go back to the source that paid", async () => {
    const unlimited = await createWorkspace({ unlimited: true, credits: 2, quota: 5 });
    const jobId = await covered(spend(unlimited.workspaceId, 2));
    await failAndRefund(jobId);
    expect(await readStored(unlimited.workspaceId)).toMatchObject({ credits: 2, quotaUsed: 0 });
    const events = await readEvents(unlimited.workspaceId);
    expect(
      events.slice(-2).map(({ amount, source, balance_after }) => [amount, source, balance_after]),
    ).toEqual([
      [-2, "unlimited", null],
      [2, "unlimited", null],
    ]);
  });
});

describe("a repeated reference", () => {
  it("is granted once, however often and at once it is sent", async () => {
    const { workspaceId } = await createWorkspace({});
    const reference = `invoice:${newId()}`;
    const event = {
      workspaceId,
      type: "grant" as const,
      amount: 7,
      description: "Invoice",
      nowMs: Date.now(),
    };
    await Promise.all(
      Array.from({ length: 10 }, () => insertCreditEvent.bind(env.DB, { ...event, reference }).run()),
    );
    expect((await readStored(workspaceId)).credits).toBe(7);
  });
});
