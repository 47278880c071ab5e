import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { seedWorkspace } from "../support/arrange.ts";
import { expectRateLimitHeaders, send } from "../support/client.ts";
import { cutOut, LOGO_SVG } from "../support/files.ts";
import {
  createIntent,
  createJob,
  creditsOf,
  finishJob,
  ledgerOf,
  newKey,
  pollJob,
  uploadAsset,
  uploadLogo,
  uploadMedia,
} from "../support/flow.ts";
import type { Stage } from "../support/stage.ts";

const SIZES = ["iab-300x250", "iab-728x90"];

export const jobs = (stage: Stage): void => {
  let logo = "";
  let media = "";
  const assetsOf = async () => {
    logo ||= await uploadLogo(stage.service, stage.rich.key);
    media ||= await uploadMedia(stage.service, stage.rich.key);
    return { logo, media };
  };
  const body = (over: object = {}) => ({
    contractId: "display.v1",
    selectedSizeIds: SIZES,
    assetIds: { logo, media },
    ...over,
  });

  describe("§3 §4 POST /jobs", () => {
    it("§4 202: queued, reserved once, with Location and Retry-After", async () => {
      await assetsOf();
      const before = await creditsOf(stage.service, stage.rich.key);
      const answer = await createJob(stage.service, stage.rich.key, body());
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
        assetIds: { logo, media },
        expectedCost: { amount: 2, unit: "credit" },
        progress: { total: 2, completed: 0 },
        artifactId: null,
        failure: null,
        startedAt: null,
        finishedAt: null,
      });
      expect(job.renderFingerprint).toMatch(/^[0-9a-f]{64}$/);
      expect(await creditsOf(stage.service, stage.rich.key)).toBe(before - 2);
      await pollJob(stage.service, stage.rich.key, job.jobId);
    });

    it("§3 200 on replay: the existing job, no new reservation; a changed body is 409", async () => {
      await assetsOf();
      const key = newKey();
      const first = await createJob(stage.service, stage.rich.key, body(), key);
      const between = await creditsOf(stage.service, stage.rich.key);
      const replay = await createJob(stage.service, stage.rich.key, body(), key);
      const changed = await createJob(stage.service, stage.rich.key, body({ outputFormat: "jpg" }), key);
      expect([first.status, replay.status, changed.status]).toEqual([202, 200, 409]);
      expect(replay.body.data.jobId).toBe(first.body.data.jobId);
      expect(replay.headers.get("Idempotent-Replayed")).toBe("true");
      expect(changed.body.error.code).toBe("IDEMPOTENCY_CONFLICT");
      expect(await creditsOf(stage.service, stage.rich.key)).toBe(between);
    });

    it("§4 one key on two endpoints is a conflict", async () => {
      await assetsOf();
      const key = newKey();
      expect((await createJob(stage.service, stage.rich.key, body(), key)).status).toBe(202);
      const upload = await send(stage.service, "POST", "/api/v1/assets/uploads", {
        key: stage.rich.key,
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

    it("§4 an error frees the key: the corrected request goes through under it", async () => {
      await assetsOf();
      const key = newKey();
      const wrong = await createJob(stage.service, stage.rich.key, body({ contractId: "nothing.v9" }), key);
      const right = await createJob(stage.service, stage.rich.key, body(), key);
      expect([wrong.status, right.status]).toEqual([422, 202]);
    });

    it("§1 §8 the cost is 1 credit a static size and 3 an animated one", async () => {
      await assetsOf();
      const still = await createJob(stage.service, stage.rich.key, body({ selectedSizeIds: ["iab-320x50"] }));
      expect(still.body.data.expectedCost.amount).toBe(1);
      const moving = await createJob(
        stage.service,
        stage.rich.key,
        body({ selectedSizeIds: ["iab-320x50"], motion: "animated" }),
      );
      expect(moving.status, JSON.stringify(moving.body)).toBe(202);
      expect(moving.body.data.expectedCost.amount).toBe(3);
      expect(moving.body.data.outputFormat).toBe("gif");
      await pollJob(stage.service, stage.rich.key, moving.body.data.jobId);
    });

    it.each(["png", "webp", "jpg"])("§4 outputFormat %s is taken", async (outputFormat) => {
      await assetsOf();
      const answer = await createJob(
        stage.service,
        stage.rich.key,
        body({ outputFormat, selectedSizeIds: ["iab-300x50"] }),
      );
      expect(answer.status).toBe(202);
      expect(answer.body.data.outputFormat).toBe(outputFormat);
    });

    it("§4 402: balance insufficient for the requested sizes; nothing is created or charged", async () => {
      const poor = await seedWorkspace(stage.service, { credits: 1 });
      const mark = await uploadLogo(stage.service, poor.key);
      const answer = await createJob(stage.service, poor.key, body({ assetIds: { logo: mark } }));
      expect([answer.status, answer.body.error.code]).toEqual([402, "PAYMENT_REQUIRED"]);
      expect(answer.body.error.details).toMatchObject({ required: 2, available: 1 });
      expect(await creditsOf(stage.service, poor.key)).toBe(1);
      expect((await send(stage.service, "GET", "/api/v1/jobs", { key: poor.key })).body.data.items).toEqual(
        [],
      );
    });

    it.each([
      ["contract", { contractId: "posters.v1" }, "CONTRACT_UNSUPPORTED"],
      ["size", { selectedSizeIds: ["iab-1x1"] }, "SIZE_UNSUPPORTED"],
      ["size of another contract", { selectedSizeIds: ["meta-story-1080x1920"] }, "SIZE_UNSUPPORTED"],
      ["slot", { assetIds: { poster: randomUUID() } }, "SLOT_UNSUPPORTED"],
      ["format", { outputFormat: "tiff" }, "FORMAT_UNSUPPORTED"],
      ["format for the motion", { outputFormat: "gif" }, "FORMAT_UNSUPPORTED"],
    ])("§4 §7 422: unsupported %s", async (_, over, code) => {
      await assetsOf();
      const answer = await createJob(stage.service, stage.rich.key, body(over));
      expect([answer.status, answer.body.error.code]).toEqual([422, code]);
    });

    const id = randomUUID();
    it.each([
      [["secondaryMedia"]],
      [["product", "media"]],
      [["product", "device"]],
      [["product", "media", "secondaryMedia"]],
      [["person", "media"]],
      [["person", "device"]],
      [["person", "product"]],
      [["device", "media"]],
      [["device", "media", "secondaryMedia"]],
    ])("§4 422: the combination %s", async (slots) => {
      const assetIds = Object.fromEntries(slots.map((slot) => [slot, id]));
      const answer = await createJob(stage.service, stage.rich.key, body({ assetIds }));
      expect([answer.status, answer.body.error.code]).toEqual([422, "SLOT_COMBINATION_UNSUPPORTED"]);
    });

    it("§4 422: an unknown, a foreign and a misplaced asset, and no picture at all", async () => {
      await assetsOf();
      const theirs = await uploadLogo(stage.service, stage.stranger.key);
      const missing = await createJob(
        stage.service,
        stage.rich.key,
        body({ assetIds: { logo: randomUUID() } }),
      );
      const foreign = await createJob(stage.service, stage.rich.key, body({ assetIds: { logo: theirs } }));
      expect([missing.status, foreign.status]).toEqual([422, 422]);
      expect([missing.body.error.code, foreign.body.error.code]).toEqual(["ASSET_UNKNOWN", "ASSET_UNKNOWN"]);
      const misplaced = await createJob(stage.service, stage.rich.key, body({ assetIds: { media: logo } }));
      expect([misplaced.status, misplaced.body.error.code]).toEqual([422, "SLOT_UNSUPPORTED"]);
      expect((await createJob(stage.service, stage.rich.key, body({ assetIds: {} }))).status).toBe(422);
    });

    it("§3 409: an asset that is not ready", async () => {
      const intent = await createIntent(stage.service, stage.rich.key, {
        slotId: "logo",
        mimeType: "image/svg+xml",
        bytes: LOGO_SVG,
        width: 240,
        height: 80,
      });
      const answer = await createJob(
        stage.service,
        stage.rich.key,
        body({ assetIds: { logo: intent.body.data.assetId } }),
      );
      expect([answer.status, answer.body.error.code]).toEqual([409, "ASSET_NOT_READY"]);
    });

    it.each([
      ["no contractId", { contractId: undefined }],
      ["no sizes", { selectedSizeIds: [] }],
      ["a size twice", { selectedSizeIds: ["iab-300x250", "iab-300x250"] }],
      ["sizes as text", { selectedSizeIds: "iab-300x250" }],
      ["an asset id that is not a UUID", { assetIds: { logo: "logo" } }],
      ["a headline of 91 characters", { copy: { headline: "h".repeat(91) } }],
      ["a colour that is none", { brand: { primaryColor: "green" } }],
      ["an unknown member", { size: "iab-300x250" }],
    ])("§7 400: %s", async (_, over) => {
      expect(
        (await createJob(stage.service, stage.rich.key, body({ assetIds: { logo: id }, ...over }))).status,
      ).toBe(400);
    });

    it("§7 400: malformed JSON, no body, no Idempotency-Key, a body over the limit; 415: another type", async () => {
      const post = (call: object) =>
        send(stage.service, "POST", "/api/v1/jobs", {
          key: stage.rich.key,
          idempotencyKey: newKey(),
          ...call,
        });
      const json = { "Content-Type": "application/json" };
      const malformed = await post({ bytes: new TextEncoder().encode('{"contractId":'), headers: json });
      expect([malformed.status, malformed.body.error.code]).toEqual([400, "INVALID_JSON"]);
      expect((await post({})).status).toBe(400);
      const without = await send(stage.service, "POST", "/api/v1/jobs", {
        key: stage.rich.key,
        json: body(),
      });
      expect([without.status, without.body.error.code]).toEqual([400, "IDEMPOTENCY_KEY_REQUIRED"]);
      expect((await post({ json: body({ copy: { headline: "x".repeat(70_000) } }) })).status).toBe(400);
      const typed = await post({
        bytes: new TextEncoder().encode("a=b"),
        headers: { "Content-Type": "text/plain" },
      });
      expect(typed.status).toBe(415);
    });

    it("§1 501 without the queue or without file storage", async () => {
      for (const service of [stage.withoutQueue, stage.withoutStorage]) {
        const { key } = await seedWorkspace(service, { credits: 9 });
        const answer = await createJob(service, key, body({ assetIds: { logo: id } }));
        expect(answer.status).toBe(501);
        expect(await creditsOf(service, key)).toBe(9);
      }
    });
  });

  describe("§4 GET /jobs", () => {
    it("§4 200: newest first, by status, by fingerprint, paged by time", async () => {
      const { key } = await seedWorkspace(stage.service, { credits: 20 });
      const mark = await uploadLogo(stage.service, key);
      const request = { contractId: "display.v1", selectedSizeIds: ["iab-320x50"], assetIds: { logo: mark } };
      const first = await finishJob(stage.service, key, request);
      const second = await finishJob(stage.service, key, { ...request, outputFormat: "jpg" });
      const third = await finishJob(stage.service, key, request);
      const made = [first, second, third].map((job) => job.body.data);
      const list = async (query = "") => {
        const answer = await send(stage.service, "GET", `/api/v1/jobs?${query}`, { key });
        expect(answer.status).toBe(200);
        expectRateLimitHeaders(answer);
        return answer.body.data;
      };
      const ids = (page: { items: { jobId: string }[] }) => page.items.map((job) => job.jobId);
      expect(ids(await list())).toEqual(made.map((job) => job.jobId).reverse());
      expect(ids(await list("status=succeeded"))).toHaveLength(3);
      expect(ids(await list("status=canceled"))).toEqual([]);
      expect(made[0].renderFingerprint).toBe(made[2].renderFingerprint);
      expect(made[0].renderFingerprint).not.toBe(made[1].renderFingerprint);
      expect(ids(await list(`renderFingerprint=${made[0].renderFingerprint}`))).toEqual([
        made[2].jobId,
        made[0].jobId,
      ]);
      const page = await list("limit=2");
      const rest = await list(`limit=2&before=${encodeURIComponent(page.nextBefore)}`);
      expect([...ids(page), ...ids(rest)]).toEqual(made.map((job) => job.jobId).reverse());
      expect(rest.nextBefore).toBeNull();
    });

    it.each([
      "limit=0",
      "limit=101",
      "before=abc",
      "status=done",
      "renderFingerprint=ABC",
      "renderFingerprint=12",
    ])("§4 GET /jobs?%s is 400", async (query) => {
      expect(
        (await send(stage.service, "GET", `/api/v1/jobs?${query}`, { key: stage.rich.key })).status,
      ).toBe(400);
    });
  });

  describe("§3 GET /jobs/{jobId} and its states", () => {
    it("§3 succeeded: progress is full, artifactId is set, and the times are in order", async () => {
      await assetsOf();
      const job = (await finishJob(stage.service, stage.rich.key, body())).body.data;
      expect(job.progress).toEqual({ total: 2, completed: 2 });
      expect(job.artifactId).toMatch(/^[0-9a-f-]{36}$/);
      expect(Date.parse(job.createdAt)).toBeLessThanOrEqual(Date.parse(job.startedAt));
      expect(Date.parse(job.startedAt)).toBeLessThanOrEqual(Date.parse(job.finishedAt));
    });

    it("§3 failed: the reason is named and the credits are back", async () => {
      const { key } = await seedWorkspace(stage.service, { credits: 4 });
      const bytes = await cutOut(300, 300);
      const product = await uploadAsset(stage.service, key, {
        slotId: "product",
        mimeType: "image/png",
        bytes,
        width: 300,
        height: 300,
      });
      // One word that no 88-pixel strip can hold legibly.
      const created = await createJob(stage.service, key, {
        contractId: "display.v1",
        selectedSizeIds: ["iab-320x50"],
        assetIds: { product },
        copy: { headline: "W".repeat(90) },
      });
      expect(created.status, JSON.stringify(created.body)).toBe(202);
      const job = (await pollJob(stage.service, key, created.body.data.jobId)).body.data;
      expect(job.status).toBe("failed");
      expect(job.failure).toMatchObject({ code: "HEADLINE_DOES_NOT_FIT", refunded: true });
      expect(job.artifactId).toBeNull();
      expect(await creditsOf(stage.service, key)).toBe(4);
      expect((await ledgerOf(stage.service, key)).map((event) => event.amount)).toEqual([1, -1, 4]);
    });

    it("§4 404: missing and foreign alike, for reading and for cancelling", async () => {
      await assetsOf();
      const theirs = await uploadMedia(stage.service, stage.stranger.key);
      const job = await createJob(stage.service, stage.stranger.key, body({ assetIds: { media: theirs } }));
      for (const [method, suffix] of [
        ["GET", ""],
        ["POST", "/cancel"],
      ] as const) {
        const path = (jobId: string) => `/api/v1/jobs/${jobId}${suffix}`;
        const missing = await send(stage.service, method, path(randomUUID()), { key: stage.rich.key });
        const foreign = await send(stage.service, method, path(job.body.data.jobId), { key: stage.rich.key });
        expect([missing.status, foreign.status]).toEqual([404, 404]);
        expect(foreign.body.error.message).toBe(missing.body.error.message);
      }
    });
  });

  describe("§3 POST /jobs/{jobId}/cancel in every state", () => {
    const jobIn = async (status: string) => {
      const { key } = await seedWorkspace(stage.service, { credits: 5 });
      const mark = await uploadLogo(stage.service, key);
      const created = await finishJob(stage.service, key, {
        contractId: "display.v1",
        selectedSizeIds: ["iab-300x50"],
        assetIds: { logo: mark },
      });
      const { jobId } = created.body.data;
      await stage.service.db.prepare("UPDATE jobs SET status = ? WHERE job_id = ?").bind(status, jobId).run();
      return { key, jobId };
    };
    const cancel = (key: string, jobId: string) =>
      send(stage.service, "POST", `/api/v1/jobs/${jobId}/cancel`, { key });

    it("§3 queued → canceled 200 with one refund; a second cancel changes nothing", async () => {
      const { key, jobId } = await jobIn("queued");
      const answer = await cancel(key, jobId);
      expect(answer.status).toBe(200);
      expectRateLimitHeaders(answer);
      expect(answer.body.data).toMatchObject({ status: "canceled", artifactId: null });
      const again = await cancel(key, jobId);
      expect([again.status, again.body.data.status]).toEqual([200, "canceled"]);
      const refunds = (await ledgerOf(stage.service, key)).filter((event) => event.type === "refund");
      expect(refunds.map(({ amount, jobId: of }) => [amount, of])).toEqual([[1, jobId]]);
      expect(await creditsOf(stage.service, key)).toBe(5);
    });

    it.each(["succeeded", "failed"])("§3 %s: 200 with the current status and no refund", async (status) => {
      const { key, jobId } = await jobIn(status);
      const answer = await cancel(key, jobId);
      expect([answer.status, answer.body.data.status]).toEqual([200, status]);
      expect(await creditsOf(stage.service, key)).toBe(4);
    });

    it("§3 running: 409 JOB_RUNNING, unchanged", async () => {
      const { key, jobId } = await jobIn("running");
      const answer = await cancel(key, jobId);
      expect([answer.status, answer.body.error.code]).toEqual([409, "JOB_RUNNING"]);
      expect(await creditsOf(stage.service, key)).toBe(4);
    });
  });

  describe("§1 exact money under a storm", () => {
    it("§4 100 identical POST /jobs at once make one job and one consumption event", async () => {
      const { key } = await seedWorkspace(stage.service, { credits: 50 });
      const mark = await uploadLogo(stage.service, key);
      const idempotencyKey = newKey();
      const request = { contractId: "display.v1", selectedSizeIds: SIZES, assetIds: { logo: mark } };
      const answers = await Promise.all(
        Array.from({ length: 100 }, () => createJob(stage.service, key, request, idempotencyKey)),
      );
      const accepted = answers.filter((answer) => answer.status === 202);
      expect(accepted).toHaveLength(1);
      // The others are replays; one that waited its full time is told so and may be sent again.
      expect(answers.every((answer) => [200, 202, 409].includes(answer.status))).toBe(true);
      expect(new Set(answers.filter((a) => a.status < 300).map((a) => a.body.data.jobId)).size).toBe(1);
      const consumed = (await ledgerOf(stage.service, key)).filter((event) => event.type === "consumption");
      expect(consumed.map((event) => event.amount)).toEqual([-2]);
      expect(await creditsOf(stage.service, key)).toBe(48);
    });

    it("§4 50 distinct jobs with credit for 10: exactly 10 are accepted and the balance is 0", async () => {
      const { key } = await seedWorkspace(stage.service, { credits: 10 });
      const mark = await uploadLogo(stage.service, key);
      const request = { contractId: "display.v1", selectedSizeIds: ["iab-320x50"], assetIds: { logo: mark } };
      const answers = await Promise.all(
        Array.from({ length: 50 }, () => createJob(stage.service, key, request)),
      );
      expect(answers.filter((answer) => answer.status === 202)).toHaveLength(10);
      expect(answers.filter((answer) => answer.status === 402)).toHaveLength(40);
      expect(await creditsOf(stage.service, key)).toBe(0);
    });
  });
};
