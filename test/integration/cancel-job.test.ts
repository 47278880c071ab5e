import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { claimPart } from "#domains/jobs/part-store.ts";
import { clock } from "#platform/clock.ts";
import { leaseHolder } from "#platform/db/lease.ts";
import { newId } from "#platform/ids.ts";
import { execute } from "../support/database.ts";
import {
  acceptedJob,
  cancel,
  eventsOf,
  expectInvariants,
  holdQueue,
  readJob,
  workspaceWithLogo,
} from "../support/jobs.ts";

const claim = (jobId: string) =>
  claimPart(env.DB, { jobId, part: 0 }, leaseHolder(newId(), newId()), clock.now());

it("a cancel never writes a missing refund of a failed job, nor a refund in another workspace", async () => {
  holdQueue();
  const client = await workspaceWithLogo();
  const stranger = await workspaceWithLogo();
  const { jobId } = await acceptedJob(client);
  for (const [status, secret, expected] of [
    ["failed", client.secret, 200],
    ["failed", stranger.secret, 404],
    ["canceled", stranger.secret, 404],
  ] as const) {
    await execute`UPDATE jobs SET status = ${status} WHERE job_id = ${jobId}`;
    expect((await cancel(secret, jobId)).status).toBe(expected);
    expect(await eventsOf(jobId)).toHaveLength(1);
  }
});

it("if a job is canceled and claimed concurrently, exactly one succeeds", async () => {
  holdQueue();
  const client = await workspaceWithLogo();
  for (let round = 0; round < 10; round += 1) {
    const { jobId } = await acceptedJob(client);
    const [answer, claimed] =
      round % 2 === 0
        ? await Promise.all([cancel(client.secret, jobId), claim(jobId)])
        : await Promise.all([claim(jobId), cancel(client.secret, jobId)]).then(
            ([part, canceled]) => [canceled, part] as const,
          );
    const { status } = await readJob(client.secret, jobId);
    expect([answer.status, status]).toEqual(claimed === null ? [200, "canceled"] : [409, "running"]);
  }
  await expectInvariants(client.workspaceId);
});
