import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { insertRefund } from "#domains/ledger/service.ts";
import { insertCreditEvent } from "#domains/ledger/store.ts";
import { newId } from "#platform/ids.ts";
import { failAndRefund, paidJobId, readEvents, readStored, spend } from "../support/ledger.ts";
import { createWorkspace } from "../support/workspace.ts";

it("a job that ends 20 times concurrently is refunded once", async () => {
  const { workspaceId } = await createWorkspace({ credits: 4 });
  const jobId = await paidJobId(spend(workspaceId, 3));
  await Promise.all(Array.from({ length: 20 }, () => failAndRefund(jobId)));
  expect((await readStored(workspaceId)).credits).toBe(4);
  expect((await readEvents(workspaceId)).map(({ type, amount }) => [type, amount])).toEqual([
    ["grant", 4],
    ["consumption", -3],
    ["refund", 3],
  ]);
});

describe("refunds", () => {
  it.each(["queued", "running", "succeeded"])("a job that is %s gets none", async (status) => {
    const { workspaceId } = await createWorkspace({ credits: 1 });
    const jobId = await paidJobId(spend(workspaceId, 1));
    const setStatus = env.DB.prepare("UPDATE jobs SET status = ?2 WHERE job_id = ?1");
    await env.DB.batch([
      setStatus.bind(jobId, status),
      insertRefund.bind(env.DB, { jobId, description: "Too early", nowMs: Date.now(), canceledOf: null }),
      setStatus.bind(jobId, "canceled"),
    ]);
    expect((await readStored(workspaceId)).credits).toBe(0);
    expect((await readEvents(workspaceId)).map(({ type }) => type)).toEqual(["grant", "consumption"]);
  });
});

it("a repeated reference is granted once, however often and concurrently it is sent", async () => {
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
