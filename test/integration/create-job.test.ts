import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { newId } from "../../src/platform/ids.ts";
import {
  acceptedJob,
  eventsOf,
  expectInvariants,
  holdQueue,
  jobIn,
  packOf,
  postJob,
  readJob,
  workspaceWithLogo,
} from "../support/jobs.ts";
import { balanceOf, codeOf } from "../support/refusals.ts";
import { call } from "../support/workspace.ts";
import { spyOnWrites } from "../support/write-batches.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

describe("a job is created, drawn and delivered", () => {
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
});

describe("one Idempotency-Key makes one job", () => {
  it("a replay shows the job as it is now and says so; another body is a conflict", async () => {
    holdQueue();
    const client = await workspaceWithLogo();
    const key = newId();
    const created = jobIn(await postJob(client.secret, packOf(client), key));
    await call("POST", `/api/v1/jobs/${created.jobId}/cancel`, { secret: client.secret });
    const replay = await postJob(client.secret, packOf(client), key);
    expect(replay.status).toBe(200);
    expect(replay.headers.get("Idempotent-Replayed")).toBe("true");
    expect(jobIn(replay)).toMatchObject({ jobId: created.jobId, status: "canceled" });
    const other = await postJob(client.secret, packOf(client, { outputFormat: "jpg" }), key);
    expect([other.status, codeOf(other)]).toEqual([409, "IDEMPOTENCY_CONFLICT"]);
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

  it("a write that failed leaves nothing, and the same request then succeeds", async () => {
    holdQueue();
    const client = await workspaceWithLogo({ credits: 3 });
    const key = newId();
    spyOnWrites().mockRejectedValueOnce(new Error("the database is away"));
    const failed = await postJob(client.secret, packOf(client), key);
    expect([failed.status, codeOf(failed)]).toEqual([500, "INTERNAL_ERROR"]);
    expect(await balanceOf(client.workspaceId)).toBe(3);
    expect((await postJob(client.secret, packOf(client), key)).status).toBe(202);
    expect(await balanceOf(client.workspaceId)).toBe(2);
  });
});

describe("money covers exactly the jobs that were accepted", () => {
  it.each([
    ["unlimited", { unlimited: true, credits: 5 }],
    ["subscription", { quota: 5, credits: 5 }],
    ["credits", { credits: 5 }],
    ["credits", { quota: 1, credits: 5 }],
  ] as const)("pays by %s out of %j", async (source, access) => {
    holdQueue();
    const client = await workspaceWithLogo(access);
    const job = await acceptedJob(client, { selectedSizeIds: ["iab-300x250", "iab-728x90"] });
    expect(await eventsOf(job.jobId)).toEqual([{ type: "consumption", amount: -2, source }]);
  });
});

describe("a job outlives trouble after its commit", () => {
  it("a queue that is down still answers 202; the reservation stands and the job is queued", async () => {
    holdQueue();
    const client = await workspaceWithLogo();
    const job = await acceptedJob(client);
    expect((await readJob(client.secret, job.jobId)).status).toBe("queued");
    expect(await eventsOf(job.jobId)).toHaveLength(1);
  });
});
