import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { JOB_WINDOWS } from "#api/limits.ts";
import { failJob, RENDERING_FAILED } from "#domains/jobs/end-job.ts";
import { clock, toTimestamp } from "#platform/clock.ts";
import { execute } from "../support/database.ts";
import {
  acceptedJob,
  type Client,
  cancel,
  expectInvariants,
  holdQueue,
  jobIn,
  packOf,
  postJob,
  workspaceWithLogo,
} from "../support/jobs.ts";
import { balanceOf, detailsOf, refusalOf } from "../support/refusals.ts";

/** Refunded jobs would be free renders, so they count in separate hourly windows of each workspace. */

const START_MS = Date.UTC(2026, 10, 22, 10, 0, 0);
const HOUR_MS = 3_600_000;
const FAILED_MAX = JOB_WINDOWS["failed-jobs"].limit;
const DOES_NOT_FIT = { code: "HEADLINE_DOES_NOT_FIT", message: "iab-320x50: It is too long." } as const;

async function failedJobs(client: Client, count: number, failure: Parameters<typeof failJob>[2]) {
  for (let made = 0; made < count; made += 1) {
    const { jobId } = await acceptedJob(client);
    await failJob(env.DB, jobId, failure, clock.now(), {});
  }
}

describe("API §8.7 jobs that failed because of their inputs", () => {
  it("fill a window: the next order is 429 with the window's name and end, until the oldest job has left the window", async () => {
    holdQueue();
    const now = vi.spyOn(clock, "now").mockReturnValue(START_MS);
    const client = await workspaceWithLogo({ credits: 5 });
    await failedJobs(client, FAILED_MAX, DOES_NOT_FIT);
    now.mockReturnValue(START_MS + 60_000);
    const refused = await postJob(client.secret, packOf(client), "kept-key");
    expect(refusalOf(refused)).toEqual([429, "RATE_LIMITED"]);
    const { resetsAtMs } = { resetsAtMs: Date.parse(refused.headers.get("X-RateLimit-Reset") ?? "") };
    // Each job of a workspace has its own creation time, so simultaneous jobs are some milliseconds apart.
    expect(resetsAtMs - START_MS - HOUR_MS).toBeGreaterThanOrEqual(0);
    expect(resetsAtMs - START_MS - HOUR_MS).toBeLessThan(1_000);
    expect(Number(refused.headers.get("Retry-After"))).toBe(Math.ceil((resetsAtMs - clock.now()) / 1_000));
    expect(refused.headers.get("X-RateLimit-Limit")).toBe(String(FAILED_MAX));
    expect(refused.headers.get("X-RateLimit-Remaining")).toBe("0");
    expect(detailsOf(refused)).toMatchObject({ family: "failed-jobs", limit: FAILED_MAX });
    expect(await balanceOf(client.workspaceId)).toBe(5);

    now.mockReturnValue(resetsAtMs);
    const opened = await postJob(client.secret, packOf(client), "kept-key");
    expect(opened.status, toTimestamp(resetsAtMs)).toBe(202);
    await expectInvariants(client.workspaceId);
  });

  it("do not block reads and replays of earlier jobs", async () => {
    holdQueue();
    vi.spyOn(clock, "now").mockReturnValue(START_MS);
    const client = await workspaceWithLogo({ credits: 5 });
    const first = await postJob(client.secret, packOf(client), "first");
    await failedJobs(client, FAILED_MAX, DOES_NOT_FIT);
    const replay = await postJob(client.secret, packOf(client), "first");
    expect([replay.status, jobIn(replay).jobId]).toEqual([200, jobIn(first).jobId]);
  });

  it("do not count if the service caused the failure, nor in another workspace", async () => {
    holdQueue();
    vi.spyOn(clock, "now").mockReturnValue(START_MS);
    const client = await workspaceWithLogo({ credits: 5 });
    const other = await workspaceWithLogo({ credits: 5 });
    await failedJobs(client, FAILED_MAX - 1, DOES_NOT_FIT);
    await failedJobs(client, 2, RENDERING_FAILED);
    await failedJobs(other, 1, DOES_NOT_FIT);
    await failedJobs(client, 1, DOES_NOT_FIT);
    expect((await postJob(client.secret, packOf(client))).status).toBe(429);
    expect((await postJob(other.secret, packOf(other))).status).toBe(202);
  });
});

it("canceled jobs fill a separate window", async () => {
  holdQueue();
  vi.spyOn(clock, "now").mockReturnValue(START_MS);
  const client = await workspaceWithLogo({ credits: 5 });
  const { jobId } = await acceptedJob(client);
  expect((await cancel(client.secret, jobId)).status).toBe(200);
  // Inserts the rest of the window's jobs, as if requests had canceled them.
  await execute`INSERT INTO jobs (job_id, workspace_id, status, contract_id, motion, output_format, selected_size_ids, asset_ids,
       copy, brand, render_inputs, cost_credits, render_fingerprint, artifact_id, created_at, finished_at)
     SELECT job_id || value, workspace_id, 'canceled', contract_id, motion, output_format, selected_size_ids, asset_ids,
       copy, brand, render_inputs, cost_credits, render_fingerprint, artifact_id || value, created_at - value, finished_at
     FROM jobs, json_each(${JSON.stringify(Array.from({ length: JOB_WINDOWS["canceled-jobs"].limit - 1 }, (_, n) => n + 1))}) WHERE job_id = ${jobId}`;
  const refused = await postJob(client.secret, packOf(client));
  expect([refused.status, detailsOf(refused)]).toMatchObject([429, { family: "canceled-jobs" }]);
  expect(await balanceOf(client.workspaceId)).toBe(5);
});
