import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { seedWorkspace } from "../support/arrange.ts";
import { expectRateLimitHeaders, send } from "../support/client.ts";
import { cutOut, font, LOGO_SVG, photo } from "../support/files.ts";
import { complete, createIntent, intentBody, LOGO, newKey, sendBytes } from "../support/flow.ts";
import type { Harness } from "../support/harness.ts";

const UPLOADS = "/api/v1/assets/uploads";

export const uploadCompletion = (harness: Harness): void => {
  const { service, rich } = harness;
  describe("API §4.27 POST /assets/uploads/{uploadId}/complete", () => {
    it.each([
      ["media", "image/jpeg", async () => photo(720, 480), 720, 480],
      ["media", "image/png", async () => photo(400, 380, "png"), 400, 380],
      ["background", "image/webp", async () => photo(600, 520, "webp"), 600, 520],
      ["product", "image/png", async () => cutOut(400, 300), 400, 300],
      ["logo", "image/svg+xml", async () => LOGO_SVG, 240, 80],
      ["font", "font/ttf", async () => font(), undefined, undefined],
    ] as const)(
      "API §3.7, §4.27 200: a %s as %s becomes ready, with metadata read from its bytes",
      async (slotId, mimeType, make, width, height) => {
        const bytes = await make();
        const { key } = rich;
        const intent = await createIntent(service, key, {
          slotId,
          mimeType,
          bytes,
          fileName: "asset",
          ...(width === undefined ? {} : { width, height }),
        });
        const { assetId } = intent;
        expect((await sendBytes(service, key, intent, bytes)).status).toBe(204);
        const completed = await complete(service, key, intent, bytes.byteLength);
        expect([completed.status, completed.body.data.status]).toEqual([200, "ready"]);
        const asset = await send(service, "GET", `/api/v1/assets/${assetId}`, {
          key: rich.key,
        });
        const digest = Buffer.from(await crypto.subtle.digest("SHA-256", bytes)).toString("hex");
        expect(asset.body.data).toMatchObject({
          assetId,
          slotId,
          mimeType,
          status: "ready",
          byteLength: bytes.byteLength,
          sha256: digest,
          rejection: null,
          deletedAt: null,
        });
        if (width !== undefined)
          expect([asset.body.data.width, asset.body.data.height]).toEqual([width, height]);
      },
    );

    it("API §4.12, §4.27 200 on replay; 409 for another key or another body on a completed upload", async () => {
      const intent = await createIntent(service, rich.key, LOGO);
      await sendBytes(service, rich.key, intent, LOGO_SVG);
      const key = newKey();
      const first = await complete(service, rich.key, intent, LOGO_SVG.byteLength, key);
      const replay = await complete(service, rich.key, intent, LOGO_SVG.byteLength, key);
      const otherKey = await complete(service, rich.key, intent, LOGO_SVG.byteLength);
      const otherBody = await complete(service, rich.key, intent, LOGO_SVG.byteLength + 1, key);
      expect([first.status, replay.status, otherKey.status, otherBody.status]).toEqual([200, 200, 409, 409]);
      expectRateLimitHeaders(first);
      expect(replay.body.data).toEqual(first.body.data);
    });

    it("API §3.7, §4.27 422: no bytes, or another length; still processing", async () => {
      const intent = await createIntent(service, rich.key, LOGO);
      const empty = await complete(service, rich.key, intent, LOGO_SVG.byteLength);
      expect([empty.status, empty.body.error.code]).toEqual([422, "UPLOAD_MISMATCH"]);
      await sendBytes(service, rich.key, intent, LOGO_SVG);
      expect((await complete(service, rich.key, intent, 5)).status).toBe(422);
      expect((await complete(service, rich.key, intent, LOGO_SVG.byteLength)).status).toBe(200);
    });

    const text = (source: string) => new TextEncoder().encode(source);
    const SCRIPT =
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><script>alert(1)</script></svg>';
    it.each([
      ["a JPEG disguised as PNG", async () => photo(300, 300), "logo", "image/png", 300, 300],
      ["an SVG with a script", async () => text(SCRIPT), "logo", "image/svg+xml", 240, 80],
      ["a font that is not one", async () => text("OTTO no font"), "font", "font/otf", undefined, undefined],
    ] as const)(
      "API §3.8 422: %s is rejected for good and never usable",
      async (_, make, slotId, mimeType, width, height) => {
        const bytes = await make();
        const intent = await createIntent(service, rich.key, {
          slotId,
          mimeType,
          bytes,
          ...(width === undefined ? {} : { width, height }),
        });
        expect((await sendBytes(service, rich.key, intent, bytes)).status).toBe(204);
        const answer = await complete(service, rich.key, intent, bytes.byteLength);
        expect([answer.status, answer.body.error.code]).toEqual([422, "ASSET_REJECTED"]);
        const { assetId } = intent;
        const asset = await send(service, "GET", `/api/v1/assets/${assetId}`, {
          key: rich.key,
        });
        expect(asset.body.data.status).toBe("rejected");
        expect(asset.body.data.rejection.message.length).toBeGreaterThan(10);
        const job = await send(service, "POST", "/api/v1/jobs", {
          key: rich.key,
          idempotencyKey: newKey(),
          json: {
            contractId: "display.v1",
            selectedSizeIds: ["iab-300x250"],
            assetIds: { [slotId]: assetId },
          },
        });
        expect([409, 422]).toContain(job.status);
      },
    );

    it("API §4.27 400 for an invalid body; 404 for both a missing and a foreign upload", async () => {
      const intent = await createIntent(service, rich.key, LOGO);
      const path = `${UPLOADS}/${intent.uploadId}/complete`;
      const bad = await send(service, "POST", path, {
        key: rich.key,
        json: {},
        idempotencyKey: newKey(),
      });
      expect(bad.status).toBe(400);
      const foreign = await complete(service, harness.stranger.key, intent, LOGO_SVG.byteLength);
      const missing = await send(service, "POST", `${UPLOADS}/${randomUUID()}/complete`, {
        key: harness.stranger.key,
        json: { assetId: intent.assetId, byteLength: LOGO_SVG.byteLength },
        idempotencyKey: newKey(),
      });
      expect([foreign.status, missing.status]).toEqual([404, 404]);
      expect(foreign.body.error.message).toBe(missing.body.error.message);
    });
  });

  it("API §4.27 completion is 502 UPLOAD_SERVICE_NOT_CONFIGURED; the other upload routes are 501", async () => {
    const { key } = await seedWorkspace(harness.withoutStorage, { credits: 1 });
    const json = intentBody(LOGO);
    const intent = await send(harness.withoutStorage, "POST", UPLOADS, {
      key,
      json,
      idempotencyKey: newKey(),
    });
    expect(intent.status).toBe(501);
    for (const path of [
      `${UPLOADS}/${randomUUID()}/object`,
      `/api/v1/assets/upload-object?uploadId=${randomUUID()}`,
    ]) {
      const headers = { "Content-Type": "image/svg+xml" };
      expect(
        (await send(harness.withoutStorage, "PUT", path, { key, bytes: LOGO_SVG, headers })).status,
      ).toBe(501);
    }
    const completed = await send(harness.withoutStorage, "POST", `${UPLOADS}/${randomUUID()}/complete`, {
      key,
      json: { assetId: randomUUID(), byteLength: 9 },
      idempotencyKey: newKey(),
    });
    expect([completed.status, completed.body.error.code]).toEqual([502, "UPLOAD_SERVICE_NOT_CONFIGURED"]);
  });
};
