import { env } from "cloudflare:workers";
import { afterAll, describe, expect, it, vi } from "vitest";
import { LIMITS } from "#api/limits.ts";
import { jobMessageSchema } from "#api/schemas/webhook-message.ts";
import { failJob, RENDERING_FAILED } from "#domains/jobs/end-job.ts";
import { rerunJob } from "#domains/jobs/rerun-job.ts";
import { checkLedger } from "#domains/ledger/check-ledger.ts";
import { clock } from "#platform/clock.ts";
import worker from "../../src/worker.ts";
import { callAs } from "../support/accounts.ts";
import { countRows, execute, selectRows } from "../support/database.ts";
import {
  clientWithOwner,
  closeDeliveries,
  consumeDelivery,
  HOOK_URL,
  inWorkspace,
  listDeliveries,
  saved,
  standIn,
  verified,
} from "../support/deliveries.ts";
import {
  cancel,
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
import { balanceOf, detailsOf, refusalOf } from "../support/refusals.ts";
import { testKeyOf } from "../support/test-keys.ts";
import { call, createWorkspace } from "../support/workspace.ts";

afterAll(closeDeliveries);

const DAY_MS = 86_400_000;
const get = (secret: string, path: string) => call("GET", `/api/v1/${path}`, { secret });
const createKey = (secret: string, livemode?: boolean) =>
  call("POST", "/api/v1/api-keys", { secret, body: { name: "K", scopes: ["jobs:read"], livemode } });

/** A workspace with a logo and a test key. */
async function withTestKey(access: Parameters<typeof workspaceWithLogo>[0] = { credits: 5 }) {
  const client = await workspaceWithLogo(access);
  return { client, testKey: await testKeyOf(client) };
}

const order = async (secret: string, body: unknown, key?: string) => {
  const answer = await postJob(secret, body, key);
  expect(answer.status, JSON.stringify(answer.body)).toBe(202);
  return jobIn(answer);
};

describe("API §5.15 a test key", () => {
  it("creates, sees and revokes only test keys, even in a workspace that has not paid", async () => {
    const { secret, apiKeyId } = await createWorkspace();
    expect(refusalOf(await createKey(secret))).toEqual([403, "PAID_ACCESS_REQUIRED"]);
    const testKey = await testKeyOf({ secret });
    expect(testKey).toMatch(/^cpk_test_/);
    const child = await createKey(testKey);
    expect(child.body.data).toMatchObject({ livemode: false, prefix: expect.stringMatching(/^cpk_test_/) });
    expect(refusalOf(await createKey(testKey, true))).toEqual([403, "TEST_KEY_REFUSED"]);
    const modesOf = async (key: string) =>
      (await get(key, "api-keys")).body.data.items.map((one: { livemode: boolean }) => one.livemode);
    expect(await modesOf(testKey)).toEqual([false, false]);
    expect(await modesOf(secret)).toEqual([false, false, true]);
    const path = `/api/v1/api-keys/${apiKeyId}?cascade=true`;
    const revoked = await call("DELETE", path, { secret: testKey });
    expect(refusalOf(revoked)).toEqual([404, "API_KEY_NOT_FOUND"]);
    // Nothing was revoked, not even the test keys that this live key has created.
    for (const key of [secret, testKey, child.body.data.secret]) {
      expect((await get(key, "api-keys")).status).not.toBe(401);
    }
  });

  it("can be created by an account", async () => {
    const { account, ...workspace } = await clientWithOwner({});
    const body = { name: "CI", scopes: ["jobs:write"], livemode: false };
    const made = await callAs(account, "POST", inWorkspace(workspace, "api-keys"), { body });
    expect(made.body.data).toMatchObject({ livemode: false, secret: expect.stringMatching(/^cpk_test_/) });
  });

  it("shows the balance without changing it", async () => {
    const { client, testKey } = await withTestKey();
    expect((await get(testKey, "balance")).body.data).toEqual(
      (await get(client.secret, "balance")).body.data,
    );
  });
});

describe("API §5.16 a job of a test key", () => {
  it("is free and watermarked, has livemode false, and expires after a day", async () => {
    const { client, testKey } = await withTestKey({});
    const queued = await order(testKey, packOf(client));
    expect(queued).toMatchObject({ livemode: false, expectedCost: { amount: 1 } });
    const job = await endedJob(testKey, queued.jobId);
    expect(job.status).toBe("succeeded");
    const manifest = (await get(testKey, `artifacts/${job.artifactId}`)).body.data;
    expect(manifest).toMatchObject({ livemode: false, files: [{ width: 320, height: 50 }] });
    const { createdAt, expiresAt } = manifest.manifest;
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(DAY_MS);
    const links = (await get(testKey, `artifacts/${job.artifactId}/download`)).body.data;
    expect((await call("GET", new URL(links.files[0].url).pathname)).status).toBe(200);
    expect(await eventsOf(job.jobId)).toEqual([]);
    expect(await countRows("usage_days", client.workspaceId)).toBe(0);
    await expectInvariants(client.workspaceId);
    expect(
      (await checkLedger(env.DB)).filter(({ workspaceId }) => workspaceId === client.workspaceId),
    ).toEqual([]);
  });

  it("differs from the live job in fingerprint and bytes, and neither key sees the other's job", async () => {
    const { client, testKey } = await withTestKey();
    const jobs = [await order(client.secret, packOf(client)), await order(testKey, packOf(client))];
    const [live, test] = [
      await endedJob(client.secret, jobs[0]?.jobId ?? ""),
      await endedJob(testKey, jobs[1]?.jobId ?? ""),
    ];
    expect(live.renderFingerprint).not.toBe(test.renderFingerprint);
    const hashOf = async (secret: string, { artifactId }: typeof live) =>
      (await get(secret, `artifacts/${artifactId}`)).body.data.files[0].checksum.value;
    expect(await hashOf(client.secret, live)).not.toBe(await hashOf(testKey, test));
    for (const [secret, own, other] of [
      [client.secret, live, test],
      [testKey, test, live],
    ] as const) {
      for (const path of ["jobs", `jobs?status=succeeded`, `jobs?versionOf=${own.jobId}`, "artifacts"]) {
        const { items } = (await get(secret, path)).body.data;
        expect(
          items.map(({ jobId }: { jobId: string }) => jobId),
          path,
        ).toEqual([own.jobId]);
      }
      const quote = await call("POST", "/api/v1/jobs/quote", { secret, body: packOf(client) });
      expect(quote.body.data.renderFingerprint).toBe(own.renderFingerprint);
      const missing = [
        await get(secret, `jobs/${other.jobId}`),
        await cancel(secret, other.jobId),
        await call("PATCH", `/api/v1/jobs/${other.jobId}`, { secret, body: { name: "Mine" } }),
        await get(secret, `artifacts/${other.artifactId}`),
        await get(secret, `artifacts/${other.artifactId}/download`),
        await postJob(secret, packOf(client, { versionOf: other.jobId })),
      ];
      expect(missing.map(refusalOf)).toEqual([
        ...Array.from({ length: 3 }, () => [404, "JOB_NOT_FOUND"]),
        ...Array.from({ length: 2 }, () => [404, "ARTIFACT_NOT_FOUND"]),
        [422, "JOB_UNKNOWN"],
      ]);
    }
    expect(await balanceOf(client.workspaceId)).toBe(4);
  });

  it("is replayed by a test key; for a live key its Idempotency-Key is a conflict, and vice versa", async () => {
    holdQueue();
    const { client, testKey } = await withTestKey();
    const keys = { live: client.secret, test: testKey };
    for (const [first, second] of [
      ["live", "test"],
      ["test", "live"],
    ] as const) {
      const { jobId } = await order(keys[first], packOf(client), first);
      const replay = await postJob(keys[first], packOf(client), first);
      expect([replay.status, jobIn(replay).jobId]).toEqual([200, jobId]);
      expect(refusalOf(await postJob(keys[second], packOf(client), first))).toEqual([
        409,
        "IDEMPOTENCY_CONFLICT",
      ]);
    }
    expect(await balanceOf(client.workspaceId)).toBe(4);
  });

  it("that fails or is canceled refunds nothing, sends no mail, and cannot be rerun", async () => {
    holdQueue();
    const { client, testKey } = await withTestKey();
    const [failed, canceled] = [await order(testKey, packOf(client)), await order(testKey, packOf(client))];
    await failJob(env.DB, failed.jobId, RENDERING_FAILED, clock.now(), {});
    expect((await cancel(testKey, canceled.jobId)).status).toBe(200);
    expect((await readJob(testKey, failed.jobId)).failure).toMatchObject({ refunded: false });
    expect([await eventsOf(failed.jobId), await eventsOf(canceled.jobId)]).toEqual([[], []]);
    expect(await balanceOf(client.workspaceId)).toBe(5);
    const rerun = await rerunJob(env.DB, client.workspaceId, failed.jobId, clock.now());
    expect(rerun).toMatchObject({ ok: false, code: "INVALID_REQUEST" });
    await expectInvariants(client.workspaceId);
  });

  it("sends messages with `livemode` false", async () => {
    holdQueue();
    const { client, ...sender } = await clientWithOwner({ credits: 2 });
    const receivers = standIn();
    const { signingSecret = "" } = await saved(sender, {
      kind: "webhook",
      url: HOOK_URL,
      events: ["job.canceled"],
    });
    const testKey = await testKeyOf(client);
    const sent = async (secret: string) => {
      await cancel(secret, (await order(secret, packOf(client))).jobId);
      const [newest] = (await listDeliveries(sender)).items;
      await consumeDelivery(newest?.deliveryId ?? "");
      return jobMessageSchema.parse(verified(receivers, signingSecret).at(-1)?.body).data;
    };
    expect(await sent(client.secret)).toMatchObject({ livemode: true, job: { livemode: true } });
    expect(await sent(testKey)).toMatchObject({ livemode: false, job: { livemode: false } });
  });

  it("cannot have share links", async () => {
    const { client, testKey } = await withTestKey();
    const { jobId } = await order(testKey, packOf(client));
    const { artifactId } = await endedJob(testKey, jobId);
    const share = (secret: string) =>
      call("POST", `/api/v1/artifacts/${artifactId}/shares`, { secret, body: {} });
    expect(refusalOf(await share(testKey))).toEqual([403, "TEST_KEY_REFUSED"]);
    expect(refusalOf(await share(client.secret))).toEqual([404, "ARTIFACT_NOT_FOUND"]);
  });
});

describe("API §8.11 the day's test outputs", () => {
  const NOON_MS = Date.UTC(2031, 4, 5, 12);
  const sizesOf = async (count: number) => {
    const { body } = await call("GET", "/api/v1/contracts/display.v1");
    const named: string[] = body.data.sizes.map(({ sizeId }: { sizeId: string }) => sizeId);
    return { selectedSizeIds: named.slice(0, count) };
  };

  it("are counted exactly under concurrency, apart from live orders", async () => {
    holdQueue();
    const { client, testKey } = await withTestKey();
    const now = vi.spyOn(clock, "now").mockReturnValue(NOON_MS);
    const ten = packOf(client, await sizesOf(10));
    const answers = await Promise.all(Array.from({ length: 14 }, () => postJob(testKey, ten)));
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(LIMITS.testOutputsPerDay / 10);
    const refused = answers.find(({ status }) => status === 429);
    if (refused === undefined) throw new Error("none was refused");
    expect(refusalOf(refused)).toEqual([429, "TEST_LIMIT_REACHED"]);
    expect(refused.headers.get("Retry-After")).toBe(String(DAY_MS / 2 / 1_000));
    expect(refused.headers.get("X-RateLimit-Reset")).toBe("2031-05-06T00:00:00.000Z");
    expect(detailsOf(refused)).toMatchObject({ limit: LIMITS.testOutputsPerDay });
    expect((await postJob(client.secret, packOf(client))).status).toBe(202);
    now.mockReturnValue(NOON_MS + DAY_MS / 2);
    await execute`UPDATE api_keys SET last_used_at = NULL WHERE workspace_id = ${client.workspaceId}`;
    expect((await postJob(testKey, ten)).status).toBe(202);
    await expectInvariants(client.workspaceId);
  });

  it("count an animated output as three", async () => {
    holdQueue();
    const { client, testKey } = await withTestKey();
    vi.spyOn(clock, "now").mockReturnValue(NOON_MS);
    const most = Math.floor(LIMITS.testOutputsPerDay / 3);
    const animated = { motion: "animated", outputFormat: "gif" };
    const moving = await sizesOf(most);
    await order(testKey, packOf(client, { ...moving, ...animated }));
    expect(refusalOf(await postJob(testKey, packOf(client, { ...(await sizesOf(1)), ...animated })))).toEqual(
      [429, "TEST_LIMIT_REACHED"],
    );
    await order(testKey, packOf(client));
  });
});

it("API §5.17 a test job is deleted after two days; live jobs stay", async () => {
  const { client, testKey } = await withTestKey();
  const [live, test] = [
    await order(client.secret, packOf(client)),
    await order(testKey, packOf(client), "once"),
  ];
  await Promise.all([endedJob(client.secret, live.jobId), endedJob(testKey, test.jobId)]);
  const later = vi.spyOn(clock, "now");
  const sweep = async (days: number) => {
    later.mockReturnValue(Date.now() + days * DAY_MS);
    await worker.scheduled({} as ScheduledController, env);
    await worker.scheduled({} as ScheduledController, env);
  };
  await sweep(1.5);
  expect(await storedFiles(client.workspaceId, test.jobId)).toEqual(["manifest.json"]);
  await sweep(3);
  const left = await selectRows<{
    job_id: string;
  }>`SELECT job_id FROM jobs WHERE workspace_id = ${client.workspaceId}`;
  expect(left.map(({ job_id }) => job_id)).toEqual([live.jobId]);
  const prefix = `workspaces/${client.workspaceId}/artifacts/`;
  const { objects } = await env.BUCKET.list({ prefix });
  expect(objects.map(({ key }) => key.split("/").at(-1)).sort()).toEqual(["iab-320x50.png", "manifest.json"]);
  const kept = await selectRows`SELECT 1 FROM idempotency_keys WHERE workspace_id = ${client.workspaceId}
    AND idempotency_key = 'once'`;
  expect(kept).toEqual([]);
});
