import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { seedWorkspace } from "../support/arrange.ts";
import { send } from "../support/client.ts";
import { createIntent, createJob, creditsOf, LOGO, newKey, uploadLogo } from "../support/flow.ts";
import type { Harness } from "../support/harness.ts";
import { packOf } from "../support/pack.ts";

export const jobRefusals = (harness: Harness): void => {
  const { service, rich } = harness;
  const pack = packOf(harness);

  describe("API §1.7 POST /jobs refuses", () => {
    it("API §1.6, §1.7 402: an insufficient balance creates and charges nothing", async () => {
      const poor = await seedWorkspace(service, { credits: 1 });
      const mark = await uploadLogo(service, poor.key);
      const answer = await createJob(service, poor.key, await pack.request({ assetIds: { logo: mark } }));
      expect([answer.status, answer.body.error.code]).toEqual([402, "PAYMENT_REQUIRED"]);
      expect(answer.body.error.details).toMatchObject({ required: 2, available: 1 });
      expect(await creditsOf(service, poor.key)).toBe(1);
      expect((await send(service, "GET", "/api/v1/jobs", { key: poor.key })).body.data.items).toEqual([]);
    });

    it.each([
      ["contract", { contractId: "posters.v1" }, "CONTRACT_UNSUPPORTED"],
      ["size", { selectedSizeIds: ["iab-1x1"] }, "SIZE_UNSUPPORTED"],
      ["size of another contract", { selectedSizeIds: ["meta-story-1080x1920"] }, "SIZE_UNSUPPORTED"],
      ["slot", { assetIds: { poster: randomUUID() } }, "SLOT_UNSUPPORTED"],
      ["format", { outputFormat: "tiff" }, "FORMAT_UNSUPPORTED"],
      ["format for the motion", { outputFormat: "gif" }, "FORMAT_UNSUPPORTED"],
    ])("API §4.34 422: unsupported %s", async (_, over, code) => {
      const answer = await pack.create(over);
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
    ])("API §2.8, §4.34 422: the combination %s", async (slots) => {
      const assetIds = Object.fromEntries(slots.map((slot) => [slot, id]));
      const answer = await pack.create({ assetIds });
      expect([answer.status, answer.body.error.code]).toEqual([422, "SLOT_COMBINATION_UNSUPPORTED"]);
    });

    it("API §4.34 422: an unknown, a foreign and a misplaced asset, and no image at all", async () => {
      const theirs = await uploadLogo(service, harness.stranger.key);
      const missing = await pack.create({ assetIds: { logo: randomUUID() } });
      const foreign = await pack.create({ assetIds: { logo: theirs } });
      expect([missing.status, foreign.status]).toEqual([422, 422]);
      expect([missing.body.error.code, foreign.body.error.code]).toEqual(["ASSET_UNKNOWN", "ASSET_UNKNOWN"]);
      const misplaced = await pack.create({ assetIds: { media: (await pack.assetIds()).logo } });
      expect([misplaced.status, misplaced.body.error.code]).toEqual([422, "SLOT_UNSUPPORTED"]);
      expect((await pack.create({ assetIds: {} })).status).toBe(422);
    });

    it("API §3.9 409: an asset that is not ready", async () => {
      const intent = await createIntent(service, rich.key, LOGO);
      const answer = await pack.create({ assetIds: { logo: intent.assetId } });
      expect([answer.status, answer.body.error.code]).toEqual([409, "ASSET_NOT_READY"]);
    });

    it.each([
      ["no contractId", { contractId: undefined }],
      ["no sizes", { selectedSizeIds: [] }],
      ["a repeated size", { selectedSizeIds: ["iab-300x250", "iab-300x250"] }],
      ["sizes as text", { selectedSizeIds: "iab-300x250" }],
      ["an asset id that is not a UUID", { assetIds: { logo: "logo" } }],
      ["a headline of 91 characters", { copy: { headline: "h".repeat(91) } }],
      ["an invalid colour", { brand: { primaryColor: "green" } }],
      ["an unknown member", { size: "iab-300x250" }],
    ])("API §2.11 400: %s", async (_, over) => {
      expect((await pack.create({ assetIds: { logo: id }, ...over })).status).toBe(400);
    });

    it("API §4.4 400: malformed JSON, no Idempotency-Key, a body over the limit", async () => {
      const post = (call: object) => send(service, "POST", "/api/v1/jobs", { key: rich.key, ...call });
      const idempotencyKey = newKey();
      const malformed = await post({
        idempotencyKey,
        bytes: new TextEncoder().encode('{"contractId":'),
        headers: { "Content-Type": "application/json" },
      });
      expect([malformed.status, malformed.body.error.code]).toEqual([400, "INVALID_JSON"]);
      const without = await post({ json: await pack.request() });
      expect([without.status, without.body.error.code]).toEqual([400, "IDEMPOTENCY_KEY_REQUIRED"]);
      const json = await pack.request({ copy: { headline: "x".repeat(70_000) } });
      expect((await post({ idempotencyKey, json })).status).toBe(400);
    });

    it("API §1.8 501 without the queue or without file storage", async () => {
      for (const service of [harness.withoutQueue, harness.withoutStorage]) {
        const { key } = await seedWorkspace(service, { credits: 9 });
        const answer = await createJob(service, key, await pack.request({ assetIds: { logo: id } }));
        expect(answer.status).toBe(501);
        expect(await creditsOf(service, key)).toBe(9);
      }
    });
  });
};
