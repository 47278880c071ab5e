import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { CreatePack } from "../../../sdk/src/index.ts";
import { seedWorkspace } from "../support/arrange.ts";
import { expectRateLimitHeaders, send } from "../support/client.ts";
import { transparentProduct } from "../support/files.ts";
import {
  clientOf,
  createIntent,
  createJob,
  creditsOf,
  endOfJob,
  finishJob,
  LOGO,
  ledgerOf,
  newKey,
  uploadAsset,
  uploadLogo,
} from "../support/flow.ts";
import type { MainHarness } from "../support/harness.ts";
import { packOf, SIZES } from "../support/pack.ts";

export const jobs = (harness: MainHarness): void => {
  const { service, rich } = harness;
  const pack = packOf(harness);

  describe("API §3.1, §4.32 POST /jobs", () => {
    it("API §1.5, §3.5, §4.32 202: queued, reserved once, with Location and Retry-After", async () => {
      const before = await creditsOf(service, rich.key);
      const answer = await pack.create();
      expect(answer.status).toBe(202);
      expectRateLimitHeaders(answer);
      const job = answer.body.data;
      expect(answer.headers.get("Location")).toContain(`/api/v1/jobs/${job.jobId}`);
      expect(Number(answer.headers.get("Retry-After"))).toBeGreaterThanOrEqual(1);
      expect(job).toMatchObject({
        status: "queued",
        contractId: "display.v1",
        selectedSizeIds: SIZES,
        outputFormat: "png",
        motion: "static",
        assetIds: await pack.assetIds(),
        expectedCost: { amount: 2, unit: "credit" },
        progress: { total: 2, completed: 0 },
        artifactId: null,
        failure: null,
        startedAt: null,
        finishedAt: null,
      });
      expect(job.renderFingerprint).toMatch(/^[0-9a-f]{64}$/);
      expect(await creditsOf(service, rich.key)).toBe(before - 2);
      await endOfJob(service, rich.key, job.jobId);
    });

    it("API §3.2, §4.13 200 on replay: the existing job, no new reservation; a changed body is 409", async () => {
      const key = newKey();
      const first = await pack.create({}, key);
      const between = await creditsOf(service, rich.key);
      const replay = await pack.create({}, key);
      const changed = await pack.create({ outputFormat: "jpg" }, key);
      expect([first.status, replay.status, changed.status]).toEqual([202, 200, 409]);
      expect(replay.body.data.jobId).toBe(first.body.data.jobId);
      expect(replay.headers.get("Idempotent-Replayed")).toBe("true");
      expect(changed.body.error.code).toBe("IDEMPOTENCY_CONFLICT");
      expect(await creditsOf(service, rich.key)).toBe(between);
    });

    it("API §4.55, §4.31 versions of a pack are listed together; a name is not in the fingerprint, and can change at any time", async () => {
      const plain = (await pack.create()).body.data;
      const first = (await pack.create({ name: " Spring sale " })).body.data;
      const second = (await pack.create({ versionOf: first.jobId })).body.data;
      const third = (await pack.create({ versionOf: second.jobId })).body.data;
      expect([plain.name, plain.versionOf, first.name]).toEqual([null, null, "Spring sale"]);
      expect([second.versionOf, third.versionOf]).toEqual([first.jobId, first.jobId]);
      expect(first.renderFingerprint).toBe(plain.renderFingerprint);
      const { jobs: client } = clientOf(service, rich.key);
      const listed = (await client.list({ versionOf: first.jobId }).firstPage()).items;
      expect(listed.map(({ jobId }) => jobId)).toEqual([third.jobId, second.jobId, first.jobId]);
      await endOfJob(service, rich.key, first.jobId);
      const ended = { versionOf: first.jobId, status: "succeeded", limit: 1 } as const;
      expect((await client.list(ended).firstPage()).items).toHaveLength(1);
      const others = { versionOf: first.jobId, renderFingerprint: "0".repeat(64) };
      expect((await client.list(others).firstPage()).items).toEqual([]);
      expect((await client.update(first.jobId, { name: "Autumn" })).name).toBe("Autumn");
      expect((await client.update(first.jobId, { name: null })).name).toBeNull();
      const path = `/api/v1/jobs/${first.jobId}`;
      for (const name of ["", "a\nb", "n".repeat(121), undefined])
        expect((await send(service, "PATCH", path, { key: rich.key, json: { name } })).status).toBe(400);
      const unknown = await pack.create({ versionOf: randomUUID() });
      expect([unknown.status, unknown.body.error.code]).toEqual([422, "JOB_UNKNOWN"]);
    });

    it("API §4.13 one Idempotency-Key on two endpoints is a conflict", async () => {
      const key = newKey();
      expect((await pack.create({}, key)).status).toBe(202);
      const upload = await send(service, "POST", "/api/v1/assets/uploads", {
        key: rich.key,
        idempotencyKey: key,
        json: {
          slotId: "logo",
          fileName: "a.png",
          mimeType: "image/png",
          byteLength: 9,
          width: 200,
          height: 200,
        },
      });
      expect([upload.status, upload.body.error.code]).toEqual([409, "IDEMPOTENCY_CONFLICT"]);
    });

    it("API §4.14 a refusal frees the Idempotency-Key for the corrected request", async () => {
      const key = newKey();
      const wrong = await pack.create({ contractId: "nothing.v9" }, key);
      expect([wrong.status, (await pack.create({}, key)).status]).toEqual([422, 202]);
    });

    it("API §1.4 a static size costs 1 credit, an animated one 3", async () => {
      expect((await pack.create({ selectedSizeIds: ["iab-320x50"] })).body.data.expectedCost.amount).toBe(1);
      const moving = await pack.create({ selectedSizeIds: ["iab-320x50"], motion: "animated" });
      expect(moving.status, JSON.stringify(moving.body)).toBe(202);
      expect(moving.body.data.expectedCost.amount).toBe(3);
      expect(moving.body.data.outputFormat).toBe("gif");
      await endOfJob(service, rich.key, moving.body.data.jobId);
    });

    it.each(["png", "webp", "jpg"])("API §2.11 outputFormat %s is accepted", async (outputFormat) => {
      const answer = await pack.create({ outputFormat, selectedSizeIds: ["iab-300x50"] });
      expect(answer.status).toBe(202);
      expect(answer.body.data.outputFormat).toBe(outputFormat);
    });
  });

  describe("API §4.31 GET /jobs", () => {
    it("API §4.31 200: newest first, by status, by fingerprint, paged by time", async () => {
      const { key } = await seedWorkspace(service, { credits: 20 });
      const mark = await uploadLogo(service, key);
      const request: CreatePack = {
        contractId: "display.v1",
        selectedSizeIds: ["iab-320x50"],
        assetIds: { logo: mark },
      };
      const first = await finishJob(service, key, request);
      const second = await finishJob(service, key, { ...request, outputFormat: "jpg" });
      const third = await finishJob(service, key, request);
      const made = [first, second, third];
      const list = async (query = "") => {
        const answer = await send(service, "GET", `/api/v1/jobs?${query}`, { key });
        expect(answer.status).toBe(200);
        expectRateLimitHeaders(answer);
        return answer.body.data;
      };
      const ids = (page: { items: { jobId: string }[] }) => page.items.map((job) => job.jobId);
      expect(ids(await list())).toEqual(made.map((job) => job.jobId).reverse());
      expect(ids(await list("status=succeeded"))).toHaveLength(3);
      expect(ids(await list("status=canceled"))).toEqual([]);
      expect(first.renderFingerprint).toBe(third.renderFingerprint);
      expect(first.renderFingerprint).not.toBe(second.renderFingerprint);
      expect(ids(await list(`renderFingerprint=${first.renderFingerprint}`))).toEqual([
        third.jobId,
        first.jobId,
      ]);
      const page = await list("limit=2");
      const rest = await list(`limit=2&before=${encodeURIComponent(page.nextBefore)}`);
      expect([...ids(page), ...ids(rest)]).toEqual(made.map((job) => job.jobId).reverse());
      expect(rest.nextBefore).toBeNull();
    });

    it.each(["status=done", "renderFingerprint=ABC", "renderFingerprint=12"])(
      "API §4.31 GET /jobs?%s is 400",
      async (query) => {
        expect((await send(service, "GET", `/api/v1/jobs?${query}`, { key: rich.key })).status).toBe(400);
      },
    );
  });

  describe("API §4.42 POST /jobs/quote", () => {
    const quote = async (over: object = {}) =>
      send(service, "POST", "/api/v1/jobs/quote", {
        key: rich.key,
        json: await pack.request(over),
      });

    it("API §4.42 200: cost and fingerprint of the same job request, without a charge", async () => {
      const before = await creditsOf(service, rich.key);
      const answer = await quote();
      expect(answer.status).toBe(200);
      expectRateLimitHeaders(answer);
      expect(await creditsOf(service, rich.key)).toBe(before);
      const job = await finishJob(service, rich.key, await pack.order());
      expect(answer.body.data).toEqual({
        expectedCost: job.expectedCost,
        renderFingerprint: job.renderFingerprint,
      });
    });

    it("API §4.42 returns the same refusals as a job: 422 for its inputs, 409 for an asset that is not ready", async () => {
      const unknown = await quote({ selectedSizeIds: ["iab-1x1"] });
      expect([unknown.status, unknown.body.error.code]).toEqual([422, "SIZE_UNSUPPORTED"]);
      const intent = await createIntent(service, rich.key, LOGO);
      const unready = await quote({ assetIds: { logo: intent.assetId } });
      expect([unready.status, unready.body.error.code]).toEqual([409, "ASSET_NOT_READY"]);
    });
  });

  describe("API §3.1 GET /jobs/{jobId} and its states", () => {
    it("API §2.2, §2.10, §3.1 succeeded: full progress, an artifactId, and times in order", async () => {
      const job = await finishJob(service, rich.key, await pack.order());
      expect(job.progress).toEqual({ total: 2, completed: 2 });
      expect(job.artifactId).toMatch(/^[0-9a-f-]{36}$/);
      const [createdMs, startedMs, finishedMs] = [job.createdAt, job.startedAt, job.finishedAt].map((time) =>
        Date.parse(time ?? ""),
      );
      expect(createdMs).toBeLessThanOrEqual(startedMs ?? Number.NaN);
      expect(startedMs).toBeLessThanOrEqual(finishedMs ?? Number.NaN);
    });

    it("API §3.6 failed: with a reason and a refund", async () => {
      const { key } = await seedWorkspace(service, { credits: 4 });
      const product = await uploadAsset(service, key, "product", await transparentProduct());
      const created = await createJob(service, key, {
        contractId: "display.v1",
        selectedSizeIds: ["iab-320x50"],
        assetIds: { product },
      });
      expect(created.status, JSON.stringify(created.body)).toBe(202);
      const job = await endOfJob(service, key, created.body.data.jobId);
      expect(job.status).toBe("failed");
      expect(job.failure).toMatchObject({ code: "ASSET_EMPTY", refunded: true });
      expect(job.artifactId).toBeNull();
      expect(await creditsOf(service, key)).toBe(4);
      expect((await ledgerOf(service, key)).map((event) => event.amount)).toEqual([1, -1, 4]);
    });
  });
};
