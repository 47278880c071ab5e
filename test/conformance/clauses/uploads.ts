import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { expectRateLimitHeaders, send } from "../support/client.ts";
import { newKey } from "../support/flow.ts";
import type { Harness } from "../support/harness.ts";

const UPLOADS = "/api/v1/assets/uploads";

const png = (over: object = {}) => ({
  slotId: "logo",
  fileName: "logo.png",
  mimeType: "image/png",
  byteLength: 1_000,
  width: 256,
  height: 256,
  ...over,
});

export const uploads = (harness: Harness): void => {
  const { service, rich } = harness;
  const post = (json: unknown, idempotencyKey = newKey()) =>
    send(service, "POST", UPLOADS, { key: rich.key, json, idempotencyKey });

  describe("API §4.23 POST /assets/uploads", () => {
    it("API §2.9 201: an intent with id, asset, address, method and headers", async () => {
      const answer = await post(png());
      expect(answer.status).toBe(201);
      expectRateLimitHeaders(answer);
      const { uploadId, assetId, url, method, headers, expiresAt, maxBytes } = answer.body.data;
      expect([uploadId, assetId].every((id) => /^[0-9a-f-]{36}$/.test(id))).toBe(true);
      expect(new URL(url).origin).toBe(service.origin);
      expect(method).toBe("PUT");
      expect(headers).toEqual({ "Content-Type": "image/png", "x-service-cc-upload-id": uploadId });
      expect(JSON.stringify(answer.body)).not.toContain(rich.key);
      const leftMs = Date.parse(expiresAt) - Date.now();
      expect(leftMs > 14 * 60_000 && leftMs <= 15 * 60_000, expiresAt).toBe(true);
      expect(maxBytes).toBe(1_000);
      const asset = await send(service, "GET", `/api/v1/assets/${assetId}`, { key: rich.key });
      const empty = { sha256: null, rejection: null, readyAt: null, deletedAt: null };
      expect(asset.body.data).toMatchObject({ status: "processing", width: 256, height: 256, ...empty });
    });

    it("API §4.12, §4.13 idempotency: the same key and body is 200 with the same intent; another body is 409", async () => {
      const key = newKey();
      const first = await post(png(), key);
      const again = await post(png(), key);
      const other = await post(png({ byteLength: 1_001 }), key);
      expect([first.status, again.status, other.status]).toEqual([201, 200, 409]);
      expect(again.body.data.uploadId).toBe(first.body.data.uploadId);
      expect(again.headers.get("Idempotent-Replayed")).toBe("true");
      expect(other.body.error.code).toBe("IDEMPOTENCY_CONFLICT");
    });

    it("API §4.11 the Idempotency-Key is required, with 1 to 200 characters", async () => {
      const json = png();
      const without = await send(service, "POST", UPLOADS, { key: rich.key, json });
      expect([without.status, without.body.error.code]).toEqual([400, "IDEMPOTENCY_KEY_REQUIRED"]);
      expect((await post(json, "k".repeat(201))).status).toBe(400);
      expect((await post(json, `${randomUUID()}${"k".repeat(164)}`)).status).toBe(201);
    });

    it.each(["font/otf", "font/ttf"])(
      "API §2.8 slot font accepts %s without width and height",
      async (mimeType) => {
        const json = { slotId: "font", fileName: "brand.ttf", mimeType, byteLength: 9_000 };
        expect((await post(json)).status).toBe(201);
        expect((await post({ ...json, width: 100, height: 100 })).status).toBe(400);
      },
    );

    it.each([
      ["logo", 128],
      ["background", 512],
      ["media", 360],
      ["product", 256],
      ["person", 256],
      ["device", 360],
    ])("API §2.8 slot %s accepts a short edge of %i px and refuses one pixel less", async (slotId, edge) => {
      expect((await post(png({ slotId, width: edge, height: edge + 40 }))).status).toBe(201);
      expect((await post(png({ slotId, width: edge + 40, height: edge - 1 }))).status).toBe(400);
    });

    it("API §2.8 slot secondaryMedia has no minimum short edge", async () => {
      expect((await post(png({ slotId: "secondaryMedia", width: 1, height: 40 }))).status).toBe(201);
    });

    it("API §8.1, §8.2 25 MB, 8192 px and 48 MP are accepted; one more of any is 400", async () => {
      const media = (over: object) => post(png({ slotId: "media", width: 600, height: 600, ...over }));
      expect((await media({ byteLength: 26_214_400 })).status).toBe(201);
      expect((await media({ byteLength: 26_214_401 })).status).toBe(400);
      expect((await media({ width: 8_192, height: 5_859 })).status).toBe(201);
      expect((await media({ width: 8_193, height: 600 })).status).toBe(400);
      expect((await media({ width: 8_000, height: 6_000 })).status).toBe(201);
      expect((await media({ width: 8_000, height: 6_001 })).status).toBe(400);
      expect((await media({ width: 8_064, height: 6_048 })).body.error.details).toMatchObject({
        pixels: 48_771_072,
        limit: 48_000_000,
        largest: { width: 8_000, height: 6_000 },
      });
    });

    it.each([
      ["no width", png({ width: undefined })],
      ["no byteLength", png({ byteLength: undefined })],
      ["zero bytes", png({ byteLength: 0 })],
      ["a fraction of a pixel", png({ width: 256.5 })],
      ["a number as text", png({ height: "256" })],
      ["an empty file name", png({ fileName: "" })],
      ["an invisible file name", png({ fileName: "\u200b\u2060" })],
      ["a file name of 256 characters", png({ fileName: "f".repeat(256) })],
      ["a path as file name", png({ fileName: "../../etc/passwd" })],
      ["an unknown member", { ...png(), slot: "logo" }],
    ])("API §4.23 400: %s", async (_, json) => {
      expect((await post(json)).status).toBe(400);
    });

    it("API §4.5 an unknown member is refused, and the message names the nearest known member", async () => {
      const answer = await post({ ...png(), mimetype: "image/png" });
      expect(answer.status).toBe(400);
      expect(answer.body.error.message).toMatch(/mimetype.*mimeType/);
    });
  });
};
