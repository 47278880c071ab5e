import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { findJobsToRerun, rerunJob } from "#domains/jobs/rerun-job.ts";
import { clock } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import { selectRow } from "../support/database.ts";
import { heldJob } from "../support/held-jobs.ts";
import {
  acceptedJob,
  type Client,
  deliver,
  eventsOf,
  expectInvariants,
  failByDeadLetter,
  failedBy,
  holdQueue,
  packOf,
  postJob,
  readJob,
  workspaceWithLogo,
} from "../support/jobs.ts";
import { makeUnfit } from "../support/unfit-jobs.ts";
import { call } from "../support/workspace.ts";

/** A job that became a dead letter. */
async function deadJob(credits = 5, changes = {}): Promise<{ client: Client; jobId: string }> {
  const { client, jobId } = await heldJob(changes, { credits });
  await failByDeadLetter({ jobId, part: 0 });
  expect(await readJob(client.secret, jobId)).toMatchObject(failedBy("RENDERING_FAILED"));
  return { client, jobId };
}

const rerun = (client: Client, jobId: string) => rerunJob(env.DB, client.workspaceId, jobId, clock.now());

const creditsOf = async ({ secret }: Client): Promise<number> =>
  (await call("GET", "/api/v1/balance", { secret })).body.data.credits.available;

const isListed = async (jobId: string): Promise<boolean> =>
  (await findJobsToRerun(env.DB, 0, 10_000)).some((job) => job.jobId === jobId);

describe("a dead letter's job", () => {
  it("is found, rerun once, drawn with the same fingerprint, and charged once", async () => {
    const { client, jobId } = await deadJob();
    const asked = await readJob(client.secret, jobId);
    expect(await isListed(jobId)).toBe(true);
    const all = await Promise.all(Array.from({ length: 5 }, () => rerun(client, jobId)));
    const made = all.map((outcome) => (outcome.ok ? outcome.value : null));
    expect(made.filter((outcome) => outcome?.isNew)).toHaveLength(1);
    expect(new Set(made.map((outcome) => outcome?.job.jobId)).size).toBe(1);
    expect(await isListed(jobId)).toBe(false);
    const newJobId = made[0]?.job.jobId ?? "";
    expect(await creditsOf(client)).toBe(4);
    await deliver({ jobId: newJobId, part: 0 });
    const drawn = await readJob(client.secret, newJobId);
    expect(drawn).toMatchObject({
      status: "succeeded",
      renderFingerprint: asked.renderFingerprint,
      expectedCost: asked.expectedCost,
    });
    expect((await eventsOf(jobId)).map(({ type }) => type)).toEqual(["consumption", "refund"]);
    expect((await eventsOf(newJobId)).map(({ type }) => type)).toEqual(["consumption"]);
    expect((await rerun(client, jobId)).ok).toBe(true);
    expect(await creditsOf(client)).toBe(4);
    await expectInvariants(client.workspaceId);
  });

  it("is rerun in the ordered design", async () => {
    const design = {
      copy: { headline: "Hello", price: "9 €" },
      look: "bold",
      variant: 2,
      overrides: { "iab-320x50": { copy: { price: "" } } },
    };
    const { client, jobId } = await deadJob(5, design);
    const again = await rerun(client, jobId);
    const { renderFingerprint } = await readJob(client.secret, jobId);
    const newJobId = again.ok ? again.value.job.jobId : "";
    expect(await readJob(client.secret, newJobId)).toMatchObject({ ...design, renderFingerprint });
  });

  it("is left for the sweep to send after a rerun", async () => {
    const { client, jobId } = await deadJob();
    const outcome = await rerun(client, jobId);
    const row = await selectRow<{ sentAt: number | null }>`SELECT dispatched_at AS sentAt FROM jobs
      WHERE job_id = ${outcome.ok ? outcome.value.job.jobId : ""}`;
    expect(row).toEqual({ sentAt: null });
  });

  it("cannot be rerun once its refunded credits are spent", async () => {
    const { client, jobId } = await deadJob(1);
    expect((await postJob(client.secret, packOf(client))).status).toBe(202);
    expect(await rerun(client, jobId)).toMatchObject({ ok: false, code: "PAYMENT_REQUIRED" });
    expect(await isListed(jobId)).toBe(true);
    await expectInvariants(client.workspaceId);
  });

  it("is reported as rerun even if the response of the commit was lost", async () => {
    const { client, jobId } = await deadJob();
    const { batch } = env.DB;
    const spy = vi.spyOn(env.DB, "batch").mockImplementation(async (statements) => {
      await batch.call(env.DB, statements);
      spy.mockRestore();
      throw new Error("Network connection lost.");
    });
    expect(await rerun(client, jobId)).toMatchObject({ ok: true, value: { isNew: true } });
    expect(await creditsOf(client)).toBe(4);
  });
});

describe("a rerun is refused, and changes nothing, for", () => {
  it("a foreign job and an unknown job", async () => {
    const { jobId } = await deadJob();
    const other = await workspaceWithLogo({ credits: 5 });
    for (const id of [jobId, newId()]) {
      expect(await rerun(other, id)).toMatchObject({ ok: false, code: "JOB_NOT_FOUND" });
    }
    expect(await creditsOf(other)).toBe(5);
  });

  it("an open, canceled or drawn job, and a job that failed because of its inputs", async () => {
    holdQueue();
    const client = await workspaceWithLogo({ credits: 9 });
    const [queued, canceled, drawn, unfit] = [
      await acceptedJob(client),
      await acceptedJob(client),
      await acceptedJob(client),
      await acceptedJob(client),
    ];
    await makeUnfit(unfit.jobId);
    await call("POST", `/api/v1/jobs/${canceled.jobId}/cancel`, { secret: client.secret });
    await deliver({ jobId: drawn.jobId, part: 0 });
    await deliver({ jobId: unfit.jobId, part: 0 });
    expect((await readJob(client.secret, unfit.jobId)).status).toBe("failed");
    const before = await creditsOf(client);
    for (const { jobId } of [queued, canceled, drawn, unfit]) {
      expect(await rerun(client, jobId)).toMatchObject({ ok: false, code: "INVALID_REQUEST" });
      expect(await isListed(jobId)).toBe(false);
    }
    expect(await creditsOf(client)).toBe(before);
  });
});
