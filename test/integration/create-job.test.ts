import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { newId } from "../../src/platform/ids.ts";
import {
  acceptedJob,
  endedJob,
  eventsOf,
  expectInvariants,
  holdQueue,
  jobIn,
  packOf,
  postJob,
  readJob,
  storedFiles,
  workspaceWithLogo,
} from "../support/jobs.ts";
import { balanceOf, codeOf, detailsOf } from "../support/refusals.ts";
import { call } from "../support/workspace.ts";
import { spyOnWrites } from "../support/write-batches.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

describe("a job is created, drawn and delivered", () => {
  it("202 queued with its cost reserved, then succeeded with every file it promised", async () => {
    const client = await workspaceWithLogo({ credits: 6 });
    const sizes = ["iab-300x250", "iab-120x60", "iab-300x50", "gads-468x60", "iab-320x50"];
    const answer = await postJob(
      client.secret,
      packOf(client, { selectedSizeIds: sizes, outputFormat: "webp", copy: { headline: "Two wheels" } }),
    );
    expect(answer.status, JSON.stringify(answer.body)).toBe(202);
    const queued = jobIn(answer);
    expect(answer.headers.get("Location")).toBe(`/api/v1/jobs/${queued.jobId}`);
    expect(Number(answer.headers.get("Retry-After"))).toBeGreaterThan(0);
    expect(queued).toMatchObject({
      status: "queued",
      selectedSizeIds: sizes,
      outputFormat: "webp",
      motion: "static",
      copy: { headline: "Two wheels" },
      expectedCost: { amount: 5, unit: "credit" },
      progress: { total: 5, completed: 0 },
      artifactId: null,
      failure: null,
      startedAt: null,
      finishedAt: null,
    });
    const ended = await endedJob(client.secret, queued.jobId);
    expect(ended.failure).toBeNull();
    expect(ended).toMatchObject({ status: "succeeded", progress: { total: 5, completed: 5 } });
    expect(ended.artifactId).not.toBeNull();
    expect((await storedFiles(client.workspaceId, queued.jobId)).sort()).toEqual(
      sizes.map((sizeId) => `${sizeId}.webp`).sort(),
    );
    expect(await balanceOf(client.workspaceId)).toBe(1);
    await expectInvariants(client.workspaceId);
  });

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
  it("100 identical requests at once: one job, one consumption, the rest are replays", async () => {
    holdQueue();
    const client = await workspaceWithLogo({ credits: 50 });
    // Two API keys, because one may create only 60 jobs a minute; the Idempotency-Key is the workspace's.
    const second = await call("POST", "/api/v1/api-keys", {
      secret: client.secret,
      body: { name: "second", scopes: ["jobs:write"] },
    });
    expect(second.status).toBe(201);
    const secrets: string[] = [client.secret, second.body.data.secret];
    const key = newId();
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) => postJob(secrets[index % 2] ?? "", packOf(client), key)),
    );
    expect(answers.filter((answer) => answer.status === 202)).toHaveLength(1);
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(99);
    expect(new Set(answers.map((answer) => jobIn(answer).jobId)).size).toBe(1);
    expect(await balanceOf(client.workspaceId)).toBe(49);
    await expectInvariants(client.workspaceId);
  });

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

  it("a refused request frees its key", async () => {
    holdQueue();
    const client = await workspaceWithLogo();
    const key = newId();
    expect((await postJob(client.secret, packOf(client, { contractId: "nope" }), key)).status).toBe(422);
    expect((await postJob(client.secret, packOf(client), key)).status).toBe(202);
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
  it("50 distinct jobs at once with credit for 10: exactly 10 are accepted and the balance is 0", async () => {
    holdQueue();
    const client = await workspaceWithLogo({ credits: 10 });
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => postJob(client.secret, packOf(client))),
    );
    expect(answers.filter((answer) => answer.status === 202)).toHaveLength(10);
    expect(answers.filter((answer) => answer.status === 402)).toHaveLength(40);
    expect(await balanceOf(client.workspaceId)).toBe(0);
    await expectInvariants(client.workspaceId);
  });

  it("402 says what is required and what is available, and creates nothing", async () => {
    const client = await workspaceWithLogo({ credits: 2 });
    const answer = await postJob(client.secret, packOf(client, { motion: "animated" }));
    expect([answer.status, codeOf(answer)]).toEqual([402, "PAYMENT_REQUIRED"]);
    expect(detailsOf(answer)).toMatchObject({ required: 3, available: 2 });
    const list = await call("GET", "/api/v1/jobs", { secret: client.secret });
    expect((list.body as { data: { items: unknown[] } }).data.items).toEqual([]);
  });

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
