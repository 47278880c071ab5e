import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { newId } from "#platform/ids.ts";
import {
  acceptedJob,
  expectInvariants,
  holdQueue,
  jobIn,
  packOf,
  postJob,
  workspaceWithLogo,
} from "../support/jobs.ts";
import { balanceOf } from "../support/refusals.ts";
import { call } from "../support/workspace.ts";
import { spyOnWrites } from "../support/write-batches.ts";

it("equal requests give equal fingerprints, whatever the assets are called", async () => {
  holdQueue();
  const first = await workspaceWithLogo();
  const second = await workspaceWithLogo();
  const one = await acceptedJob(first, { brand: { textColor: "#ABCDEF" } });
  const other = await acceptedJob(second, { brand: { textColor: "#abcdef" } });
  const different = await acceptedJob(second, { brand: { textColor: "#abcdee" } });
  expect(other.renderFingerprint).toBe(one.renderFingerprint);
  expect(different.renderFingerprint).not.toBe(one.renderFingerprint);
});

describe("one Idempotency-Key makes one job", () => {
  it("a replay shows the job as it is now", async () => {
    holdQueue();
    const client = await workspaceWithLogo();
    const key = newId();
    const created = jobIn(await postJob(client.secret, packOf(client), key));
    await call("POST", `/api/v1/jobs/${created.jobId}/cancel`, { secret: client.secret });
    const replay = await postJob(client.secret, packOf(client), key);
    expect(replay.status).toBe(200);
    expect(jobIn(replay)).toMatchObject({ jobId: created.jobId, status: "canceled" });
  });

  it("a replay comes before every check: also when nothing could be paid any more", async () => {
    holdQueue();
    const client = await workspaceWithLogo({ credits: 1 });
    const key = newId();
    expect((await postJob(client.secret, packOf(client), key)).status).toBe(202);
    await call("DELETE", `/api/v1/assets/${client.logoId}`, { secret: client.secret });
    expect((await postJob(client.secret, packOf(client), key)).status).toBe(200);
    expect((await postJob(client.secret, packOf(client))).status).toBe(422);
  });

  it("a commit whose answer is lost is found again and charged once", async () => {
    holdQueue();
    const client = await workspaceWithLogo({ credits: 3 });
    const commit = env.DB.batch.bind(env.DB);
    spyOnWrites().mockImplementationOnce(async (statements) => {
      await commit(statements);
      throw new Error("the connection was lost");
    });
    const answer = await postJob(client.secret, packOf(client));
    expect(answer.status).toBe(200);
    expect(jobIn(answer).status).toBe("queued");
    expect(await balanceOf(client.workspaceId)).toBe(2);
    await expectInvariants(client.workspaceId);
  });
});
