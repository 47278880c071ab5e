import { evictDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { LIMITS } from "#api/limits.ts";
import { PreviewQuota } from "#domains/previews/count-previews.ts";
import { upsertPreview } from "#domains/previews/store.ts";
import { clock } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import { getRenderer } from "#platform/render-engine.ts";
import { type Client, workspaceWithLogo } from "../support/jobs.ts";
import {
  errorIn,
  expectPreviewHeaders,
  type PreviewAnswer,
  postPreview,
  previewIn,
  previewOf,
  type QuotaBody,
  quotaOf,
  secondKey,
} from "../support/previews.ts";

const distinct = (client: Client, index: number) =>
  previewOf(client, { outputFormat: "jpg", copy: { cta: `Ride ${index}` } });

const quotaObject = (workspaceId: string) => env.PREVIEW_QUOTA.get(env.PREVIEW_QUOTA.idFromName(workspaceId));

const refusalQuota = (answer: PreviewAnswer) => errorIn(answer).details.quota as QuotaBody;

describe("the allowance is exact", () => {
  it("of 16 concurrent previews, exactly the day's 8 are drawn", async () => {
    const client = await workspaceWithLogo();
    const draw = vi.spyOn(getRenderer(), "preview");
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, index) =>
        postPreview(client.secret, distinct(client, index), newId(), {
          PREVIEW_DAILY: "8",
          PREVIEW_BURST: "1000",
        }),
      ),
    );
    const drawn = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status === 429);
    expect([drawn.length, refused.length, draw.mock.calls.length]).toEqual([8, 8, 8]);
    expect(new Set(drawn.map((answer) => previewIn(answer).previewId)).size).toBe(8);
    for (const answer of refused) {
      expect(errorIn(answer).code).toBe("PREVIEW_QUOTA_EXCEEDED");
      expect(refusalQuota(answer).product).toMatchObject({ limit: 8, used: 8, remaining: 0 });
      expectPreviewHeaders(answer, refusalQuota(answer));
    }
    expect((await quotaOf(client.secret)).product.used).toBe(8);
  });

  it("the burst is per key and minute", async () => {
    const nowMs = Date.parse("2031-05-05T10:00:30.000Z");
    const now = vi.spyOn(clock, "now").mockReturnValue(nowMs);
    const client = await workspaceWithLogo();
    const other = await secondKey(client.secret, ["previews:read", "previews:write", "assets:read"]);
    const two = { PREVIEW_BURST: "2" };
    const post = (index: number, secret = client.secret) =>
      postPreview(secret, distinct(client, index), newId(), two);
    for (let index = 0; index < 2; index += 1) previewIn(await post(index));
    const refused = await post(2);
    expect([refused.status, errorIn(refused).code]).toEqual([429, "PREVIEW_RATE_LIMITED"]);
    expect(errorIn(refused).details.safeToRetryUnchanged).toBe(true);
    expect(refused.headers.get("Retry-After")).toBe("30");
    expectPreviewHeaders(refused, refusalQuota(refused));
    expect(refusalQuota(refused).burst).toMatchObject({ limit: 2, used: 2, remaining: 0 });
    expect(previewIn(await post(0)).cached).toBe(true);
    expect(previewIn(await post(2, other)).quota.product.used).toBe(3);
    now.mockReturnValue(nowMs + 30_000);
    expect(previewIn(await post(3)).quota.burst.used).toBe(1);
  });

  it("Retry-After covers every exhausted counter, and midnight UTC restores the day's allowance", async () => {
    const nowMs = Date.parse("2031-05-05T23:00:10.000Z");
    const now = vi.spyOn(clock, "now").mockReturnValue(nowMs);
    const client = await workspaceWithLogo();
    const one = { PREVIEW_DAILY: "1", PREVIEW_BURST: "1" };
    const last = await postPreview(client.secret, distinct(client, 0), newId(), one);
    expect(last.headers.get("Retry-After")).toBe("3590");
    const refused = await postPreview(client.secret, distinct(client, 1), newId(), one);
    expect(errorIn(refused).code).toBe("PREVIEW_QUOTA_EXCEEDED");
    expect(refused.headers.get("Retry-After")).toBe("3590");
    expect(refusalQuota(refused).product.resetsAt).toBe("2031-05-06T00:00:00.000Z");
    now.mockReturnValue(nowMs + 3_590_000);
    expect(previewIn(await postPreview(client.secret, distinct(client, 1), newId(), one)).cached).toBe(false);
  });

  it("requests for which nothing is drawn are limited too", async () => {
    vi.spyOn(clock, "now").mockReturnValue(Date.parse("2031-05-05T11:00:00.000Z"));
    const client = await workspaceWithLogo();
    const one = { PREVIEW_BURST: "1" };
    previewIn(await postPreview(client.secret, distinct(client, 0), newId(), one));
    const answers: PreviewAnswer[] = [];
    for (let index = 0; index < LIMITS.previewRequestsPerBurstUnit; index += 1) {
      answers.push(await postPreview(client.secret, distinct(client, 0), newId(), one));
    }
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.map((answer) => errorIn(answer).code)).toEqual(["PREVIEW_RATE_LIMITED"]);
  });

  it("eviction of the object within a window loses no count", async () => {
    vi.spyOn(clock, "now").mockReturnValue(Date.parse("2031-05-05T12:00:00.000Z"));
    const client = await workspaceWithLogo();
    for (let index = 0; index < 3; index += 1) {
      previewIn(await postPreview(client.secret, distinct(client, index)));
    }
    await evictDurableObject(quotaObject(client.workspaceId));
    const quota = await quotaOf(client.secret);
    expect([quota.product.used, quota.burst.used]).toEqual([3, 3]);
    expect(previewIn(await postPreview(client.secret, distinct(client, 3))).quota.product.used).toBe(4);
  });
});

describe("identical previews share one reservation", () => {
  it("of identical concurrent requests with two Idempotency-Keys, one is rendered and counted, and all succeed", async () => {
    const client = await workspaceWithLogo();
    const other = await secondKey(client.secret, ["previews:write", "assets:read"]);
    const draw = vi.spyOn(getRenderer(), "preview");
    const answers = await Promise.all(
      [client.secret, other, client.secret, other].map((secret) => postPreview(secret, previewOf(client))),
    );
    const previews = answers.map(previewIn);
    expect(previews.filter(({ cached }) => !cached)).toHaveLength(1);
    expect(new Set(previews.map(({ image }) => image.sha256)).size).toBe(1);
    expect(draw).toHaveBeenCalledTimes(1);
    expect((await quotaOf(client.secret)).product.used).toBe(1);
  });

  it("if the first request fails, the second one draws", async () => {
    const client = await workspaceWithLogo();
    const other = await secondKey(client.secret, ["previews:write", "assets:read"]);
    vi.spyOn(getRenderer(), "preview").mockRejectedValueOnce(new Error("the codec trapped"));
    const answers = await Promise.all(
      [client.secret, other].map((secret) => postPreview(secret, previewOf(client))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 502]);
    expect((await quotaOf(client.secret)).product.used).toBe(1);
  });
});

describe("a failure of any step is not counted", () => {
  const away = () => new Error("away");
  const database = () => {
    const prepare = env.DB.prepare.bind(env.DB);
    vi.spyOn(env.DB, "prepare").mockImplementation((sql: string) => {
      if (sql === upsertPreview.sql) throw away();
      return prepare(sql);
    });
  };
  const reading = () => {
    const get: typeof env.BUCKET.get = env.BUCKET.get.bind(env.BUCKET);
    vi.spyOn(env.BUCKET, "get").mockImplementation(async (key: string) => {
      if (key.includes("/assets/")) throw away();
      return get(key);
    });
  };
  it.each([
    ["reading an asset", 502, reading],
    ["preparing", 502, () => vi.spyOn(getRenderer(), "prepare").mockRejectedValue(away())],
    ["drawing", 502, () => vi.spyOn(getRenderer(), "preview").mockRejectedValue(away())],
    ["writing its row", 502, database],
    ["storing the picture", 502, () => vi.spyOn(env.BUCKET, "put").mockRejectedValue(away())],
    ["writing the Idempotency-Key", 500, () => vi.spyOn(env.DB, "batch").mockRejectedValue(away())],
  ])("%s is %i, leaves `used` unchanged, and the same request then succeeds", async (_, status, strike) => {
    const client = await workspaceWithLogo();
    previewIn(await postPreview(client.secret, distinct(client, 0)));
    const key = newId();
    strike();
    const failed = await postPreview(client.secret, distinct(client, 1), key);
    vi.restoreAllMocks();
    expect([failed.status, errorIn(failed).details.safeToRetryUnchanged]).toEqual([status, true]);
    expect((await quotaOf(client.secret)).product.used).toBe(1);
    expect(
      previewIn(await postPreview(client.secret, distinct(client, 1), key)).quota.product.used,
    ).toBeLessThan(3);
  });

  it("a replay after a lost response returns the picture, counted once", async () => {
    const client = await workspaceWithLogo();
    const commit = env.DB.batch.bind(env.DB);
    vi.spyOn(env.DB, "batch").mockImplementationOnce(async (statements) => {
      await commit(statements);
      throw away();
    });
    expect(previewIn(await postPreview(client.secret, previewOf(client))).cached).toBe(true);
    expect((await quotaOf(client.secret)).product.used).toBe(1);
  });

  it("if settling the reservation fails, the answer is 503, and the replay returns the picture without counting it again", async () => {
    const client = await workspaceWithLogo();
    const nowMs = clock.now();
    const key = newId();
    const settle = vi.spyOn(PreviewQuota.prototype, "settle").mockImplementation(() => {
      throw away();
    });
    const failed = await postPreview(client.secret, previewOf(client), key);
    expect([failed.status, errorIn(failed).code]).toEqual([503, "PREVIEW_UNAVAILABLE"]);
    settle.mockRestore();
    vi.spyOn(clock, "now").mockReturnValue(nowMs + LIMITS.previewLeaseMs + 60_000);
    const replay = await postPreview(client.secret, previewOf(client), key);
    expect(replay.headers.get("Idempotent-Replayed")).toBe("true");
    expect(previewIn(replay)).toMatchObject({ cached: true, quota: { product: { used: 0 } } });
  });
});
