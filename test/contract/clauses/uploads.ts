import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { seedWorkspace } from "../support/arrange.ts";
import { expectRateLimitHeaders, send } from "../support/client.ts";
import { cutOut, font, LOGO_SVG, photo } from "../support/files.ts";
import { complete, createIntent, intentBody, newKey, sendBytes, uploadAsset } from "../support/flow.ts";
import type { Stage } from "../support/stage.ts";

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

export const uploads = (stage: Stage): void => {
  const post = (json: unknown, idempotencyKey = newKey()) =>
    send(stage.service, "POST", UPLOADS, { key: stage.rich.key, json, idempotencyKey });

  describe("§4 POST /assets/uploads", () => {
    it("§2 201: an intent with id, asset, address, method and headers", async () => {
      const answer = await post(png());
      expect(answer.status).toBe(201);
      expectRateLimitHeaders(answer);
      const { uploadId, assetId, url, method, headers, expiresAt, maxBytes } = answer.body.data;
      expect([uploadId, assetId].every((id) => /^[0-9a-f-]{36}$/.test(id))).toBe(true);
      expect(new URL(url).origin).toBe(stage.service.origin);
      expect(method).toBe("PUT");
      expect(headers["Content-Type"]).toBe("image/png");
      expect(JSON.stringify(answer.body)).not.toContain(stage.rich.key);
      expect(Date.parse(expiresAt)).toBeGreaterThan(Date.now());
      expect(maxBytes).toBe(1_000);
      const asset = await send(stage.service, "GET", `/api/v1/assets/${assetId}`, { key: stage.rich.key });
      expect(asset.body.data.status).toBe("processing");
    });

    it("§4 idempotency: the same key and body is 200 with the same intent; another body is 409", async () => {
      const key = newKey();
      const first = await post(png(), key);
      const again = await post(png(), key);
      const other = await post(png({ byteLength: 1_001 }), key);
      expect([first.status, again.status, other.status]).toEqual([201, 200, 409]);
      expect(again.body.data.uploadId).toBe(first.body.data.uploadId);
      expect(again.headers.get("Idempotent-Replayed")).toBe("true");
      expect(other.body.error.code).toBe("IDEMPOTENCY_CONFLICT");
    });

    it("§4 §8 the Idempotency-Key is required, at least 1 and at most 200 characters", async () => {
      const json = png();
      const without = await send(stage.service, "POST", UPLOADS, { key: stage.rich.key, json });
      expect([without.status, without.body.error.code]).toEqual([400, "IDEMPOTENCY_KEY_REQUIRED"]);
      expect((await post(json, "k".repeat(201))).status).toBe(400);
      expect((await post(json, `${randomUUID()}${"k".repeat(164)}`)).status).toBe(201);
    });

    const accepted: readonly (readonly [string, string])[] = [
      ["logo", "image/svg+xml"],
      ["logo", "image/png"],
      ["logo", "image/jpeg"],
      ["logo", "image/webp"],
      ...["background", "media", "secondaryMedia", "product", "device"].flatMap((slot) =>
        ["image/png", "image/jpeg", "image/webp"].map((type) => [slot, type] as const),
      ),
      ["person", "image/png"],
      ["person", "image/webp"],
    ];
    it.each(accepted)("§2 slot %s accepts %s", async (slotId, mimeType) => {
      expect((await post(png({ slotId, mimeType, width: 600, height: 600 }))).status).toBe(201);
    });

    it.each(["font/otf", "font/ttf"])(
      "§2 slot font accepts %s without width and height",
      async (mimeType) => {
        const json = { slotId: "font", fileName: "brand.ttf", mimeType, byteLength: 9_000 };
        expect((await post(json)).status).toBe(201);
        expect((await post({ ...json, width: 100, height: 100 })).status).toBe(400);
      },
    );

    it.each([
      ["person", "image/jpeg"],
      ["background", "image/svg+xml"],
      ["media", "font/ttf"],
      ["font", "image/png"],
      ["logo", "image/gif"],
      ["poster", "image/png"],
    ])("§2 slot %s refuses %s with 400", async (slotId, mimeType) => {
      const answer = await post(png({ slotId, mimeType, width: 600, height: 600 }));
      expect(answer.status).toBe(400);
      expect(answer.body.error.details.nextAction.length).toBeGreaterThan(10);
    });

    it.each([
      ["logo", 128],
      ["background", 512],
      ["media", 360],
      ["secondaryMedia", 360],
      ["product", 256],
      ["person", 256],
      ["device", 360],
    ])("§8 slot %s takes a short edge of %i px and refuses one less", async (slotId, edge) => {
      expect((await post(png({ slotId, width: edge, height: edge + 40 }))).status).toBe(201);
      expect((await post(png({ slotId, width: edge + 40, height: edge - 1 }))).status).toBe(400);
    });

    it("§8 25 MB, 8192 px and 48 MP are taken; one more of each is 400", async () => {
      const media = (over: object) => post(png({ slotId: "media", width: 600, height: 600, ...over }));
      expect((await media({ byteLength: 26_214_400 })).status).toBe(201);
      expect((await media({ byteLength: 26_214_401 })).status).toBe(400);
      expect((await media({ width: 8_192, height: 5_859 })).status).toBe(201);
      expect((await media({ width: 8_193, height: 600 })).status).toBe(400);
      expect((await media({ width: 8_000, height: 6_000 })).status).toBe(201);
      expect((await media({ width: 8_000, height: 6_001 })).status).toBe(400);
    });

    it.each([
      ["no width", png({ width: undefined })],
      ["no byteLength", png({ byteLength: undefined })],
      ["zero bytes", png({ byteLength: 0 })],
      ["a fraction of a pixel", png({ width: 256.5 })],
      ["a number as text", png({ height: "256" })],
      ["an empty file name", png({ fileName: "" })],
      ["a file name of 256 characters", png({ fileName: "f".repeat(256) })],
      ["a path as file name", png({ fileName: "../../etc/passwd" })],
      ["an unknown member", { ...png(), slot: "logo" }],
    ])("§7 400: %s", async (_, json) => {
      expect((await post(json)).status).toBe(400);
    });

    it("§7 an unknown member is named with the nearest known one", async () => {
      const answer = await post({ ...png(), mimetype: "image/png" });
      expect(answer.status).toBe(400);
      expect(answer.body.error.message).toMatch(/mimetype.*mimeType/);
    });
  });

  const PUTS = [
    [
      "PUT /assets/upload-object, by query",
      (id: string) => [`/api/v1/assets/upload-object?uploadId=${id}`, {}],
    ],
    [
      "PUT /assets/upload-object, by header",
      (id: string) => ["/api/v1/assets/upload-object", { "x-service-cc-upload-id": id }],
    ],
    ["PUT /assets/uploads/{uploadId}/object", (id: string) => [`/api/v1/assets/uploads/${id}/object`, {}]],
  ] as const;

  describe.each(PUTS)("§4 %s", (_, address) => {
    const put = async (uploadId: string, bytes: Uint8Array, contentType: string, key = stage.rich.key) => {
      const [path, headers] = address(uploadId);
      return send(stage.service, "PUT", path as string, {
        key,
        bytes,
        headers: { ...(headers as Record<string, string>), "Content-Type": contentType },
      });
    };
    const logoIntent = () =>
      createIntent(stage.service, stage.rich.key, {
        slotId: "logo",
        mimeType: "image/svg+xml",
        bytes: LOGO_SVG,
        width: 240,
        height: 80,
      });

    it("204 for exactly the bytes and type of the intent, then completes", async () => {
      const intent = await logoIntent();
      const answer = await put(intent.body.data.uploadId, LOGO_SVG, "image/svg+xml");
      expect(answer.status).toBe(204);
      expect(answer.bytes).toHaveLength(0);
      expectRateLimitHeaders(answer);
      expect((await complete(stage.service, stage.rich.key, intent, LOGO_SVG.byteLength)).status).toBe(200);
    });

    it("422 for fewer bytes or another type; the asset stays processing and may be sent again", async () => {
      const intent = await logoIntent();
      const { uploadId, assetId } = intent.body.data;
      expect((await put(uploadId, LOGO_SVG.slice(0, 50), "image/svg+xml")).status).toBe(422);
      const wrongType = await put(uploadId, LOGO_SVG, "image/png");
      expect([wrongType.status, wrongType.body.error.code]).toEqual([422, "UPLOAD_MISMATCH"]);
      const asset = await send(stage.service, "GET", `/api/v1/assets/${assetId}`, { key: stage.rich.key });
      expect(asset.body.data.status).toBe("processing");
      expect((await put(uploadId, LOGO_SVG, "image/svg+xml")).status).toBe(204);
    });

    it("413 for more bytes than the intent names", async () => {
      const intent = await logoIntent();
      const more = new Uint8Array(LOGO_SVG.byteLength + 1);
      const answer = await put(intent.body.data.uploadId, more, "image/svg+xml");
      expect([answer.status, answer.body.error.code]).toEqual([413, "PAYLOAD_TOO_LARGE"]);
    });

    it("404 for a missing upload and for another workspace's, with the same answer", async () => {
      const intent = await logoIntent();
      const missing = await put(randomUUID(), LOGO_SVG, "image/svg+xml");
      const foreign = await put(intent.body.data.uploadId, LOGO_SVG, "image/svg+xml", stage.stranger.key);
      expect([missing.status, foreign.status]).toEqual([404, 404]);
      expect(foreign.body.error.code).toBe(missing.body.error.code);
      expect(foreign.body.error.message).toBe(missing.body.error.message);
    });

    it("a completed upload takes no more bytes", async () => {
      const intent = await logoIntent();
      await put(intent.body.data.uploadId, LOGO_SVG, "image/svg+xml");
      await complete(stage.service, stage.rich.key, intent, LOGO_SVG.byteLength);
      expect([409, 422]).toContain((await put(intent.body.data.uploadId, LOGO_SVG, "image/svg+xml")).status);
    });
  });

  describe("§4 which PUT answers what", () => {
    it("§4 PUT upload-object 400: no upload id, or two different ones", async () => {
      const headers = { "Content-Type": "image/png" };
      const bytes = new Uint8Array(4);
      const path = "/api/v1/assets/upload-object";
      expect((await send(stage.service, "PUT", path, { key: stage.rich.key, bytes, headers })).status).toBe(
        400,
      );
      const two = await send(stage.service, "PUT", `${path}?uploadId=${randomUUID()}`, {
        key: stage.rich.key,
        bytes,
        headers: { ...headers, "x-service-cc-upload-id": randomUUID() },
      });
      expect(two.status).toBe(400);
    });

    it("§4 PUT uploads/{uploadId}/object 409 once completed or expired", async () => {
      const intent = await createIntent(stage.service, stage.rich.key, {
        slotId: "logo",
        mimeType: "image/svg+xml",
        bytes: LOGO_SVG,
        width: 240,
        height: 80,
      });
      const { uploadId } = intent.body.data;
      await stage.service.db
        .prepare("UPDATE uploads SET expires_at = 1 WHERE upload_id = ?")
        .bind(uploadId)
        .run();
      const answer = await send(stage.service, "PUT", `/api/v1/assets/uploads/${uploadId}/object`, {
        key: stage.rich.key,
        bytes: LOGO_SVG,
        headers: { "Content-Type": "image/svg+xml" },
      });
      expect([answer.status, answer.body.error.code]).toEqual([409, "UPLOAD_EXPIRED"]);
    });

    it("§4 PUT 415: a content type that no slot takes", async () => {
      for (const path of [`/api/v1/assets/uploads/${randomUUID()}/object`, "/api/v1/assets/upload-object"]) {
        const answer = await send(stage.service, "PUT", path, {
          key: stage.rich.key,
          bytes: new Uint8Array(4),
          headers: { "Content-Type": "text/html", "x-service-cc-upload-id": randomUUID() },
        });
        expect(answer.status).toBe(415);
      }
    });
  });

  describe("§4 POST /assets/uploads/{uploadId}/complete", () => {
    it.each([
      ["media", "image/jpeg", async () => photo(720, 480), 720, 480],
      ["media", "image/png", async () => photo(400, 380, "png"), 400, 380],
      ["background", "image/webp", async () => photo(600, 520, "webp"), 600, 520],
      ["product", "image/png", async () => cutOut(400, 300), 400, 300],
      ["logo", "image/svg+xml", async () => LOGO_SVG, 240, 80],
      ["font", "font/ttf", async () => font(), undefined, undefined],
    ] as const)(
      "200: a %s as %s becomes ready, with what its bytes say",
      async (slotId, mimeType, make, width, height) => {
        const bytes = await make();
        const assetId = await uploadAsset(stage.service, stage.rich.key, {
          slotId,
          mimeType,
          bytes,
          fileName: "asset",
          ...(width === undefined ? {} : { width, height }),
        });
        const asset = await send(stage.service, "GET", `/api/v1/assets/${assetId}`, { key: stage.rich.key });
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

    it("§4 200 on replay; 409 for another key or another body on a completed upload", async () => {
      const intent = await createIntent(stage.service, stage.rich.key, {
        slotId: "logo",
        mimeType: "image/svg+xml",
        bytes: LOGO_SVG,
        width: 240,
        height: 80,
      });
      await sendBytes(stage.service, stage.rich.key, intent, LOGO_SVG);
      const key = newKey();
      const first = await complete(stage.service, stage.rich.key, intent, LOGO_SVG.byteLength, key);
      const replay = await complete(stage.service, stage.rich.key, intent, LOGO_SVG.byteLength, key);
      const otherKey = await complete(stage.service, stage.rich.key, intent, LOGO_SVG.byteLength);
      const otherBody = await complete(stage.service, stage.rich.key, intent, LOGO_SVG.byteLength + 1, key);
      expect([first.status, replay.status, otherKey.status, otherBody.status]).toEqual([200, 200, 409, 409]);
      expectRateLimitHeaders(first);
      expect(replay.body.data).toEqual(first.body.data);
    });

    it("§4 422: nothing was sent, or the length differs; still processing", async () => {
      const intent = await createIntent(stage.service, stage.rich.key, {
        slotId: "logo",
        mimeType: "image/svg+xml",
        bytes: LOGO_SVG,
        width: 240,
        height: 80,
      });
      const empty = await complete(stage.service, stage.rich.key, intent, LOGO_SVG.byteLength);
      expect([empty.status, empty.body.error.code]).toEqual([422, "UPLOAD_MISMATCH"]);
      await sendBytes(stage.service, stage.rich.key, intent, LOGO_SVG);
      expect((await complete(stage.service, stage.rich.key, intent, 5)).status).toBe(422);
      expect((await complete(stage.service, stage.rich.key, intent, LOGO_SVG.byteLength)).status).toBe(200);
    });

    const text = (source: string) => new TextEncoder().encode(source);
    it.each([
      [
        "a truncated PNG",
        async () => (await photo(300, 300, "png")).slice(0, 2_000),
        "logo",
        "image/png",
        300,
        300,
      ],
      ["a JPEG disguised as PNG", async () => photo(300, 300), "logo", "image/png", 300, 300],
      ["text disguised as JPEG", async () => text("not a picture at all"), "logo", "image/jpeg", 300, 300],
      [
        "an SVG with a script",
        async () =>
          text('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><script>alert(1)</script></svg>'),
        "logo",
        "image/svg+xml",
        240,
        80,
      ],
      [
        "a header that claims 40,000 × 40,000",
        async () => lyingPng(40_000, 40_000),
        "logo",
        "image/png",
        300,
        300,
      ],
      [
        "a font that is not one",
        async () => text("OTTO this is no font"),
        "font",
        "font/otf",
        undefined,
        undefined,
      ],
      ["a picture smaller than declared", async () => photo(200, 200, "png"), "logo", "image/png", 300, 300],
    ] as const)(
      "§3 422: %s is rejected for good and never usable",
      async (_, make, slotId, mimeType, width, height) => {
        const bytes = await make();
        const intent = await createIntent(stage.service, stage.rich.key, {
          slotId,
          mimeType,
          bytes,
          ...(width === undefined ? {} : { width, height }),
        });
        expect((await sendBytes(stage.service, stage.rich.key, intent, bytes)).status).toBe(204);
        const answer = await complete(stage.service, stage.rich.key, intent, bytes.byteLength);
        expect([answer.status, answer.body.error.code]).toEqual([422, "ASSET_REJECTED"]);
        const { assetId } = intent.body.data;
        const asset = await send(stage.service, "GET", `/api/v1/assets/${assetId}`, { key: stage.rich.key });
        expect(asset.body.data.status).toBe("rejected");
        expect(asset.body.data.rejection.message.length).toBeGreaterThan(10);
        const job = await send(stage.service, "POST", "/api/v1/jobs", {
          key: stage.rich.key,
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

    it("§4 400: a wrong body; 404: a missing or foreign upload, alike", async () => {
      const intent = await createIntent(stage.service, stage.rich.key, {
        slotId: "logo",
        mimeType: "image/svg+xml",
        bytes: LOGO_SVG,
        width: 240,
        height: 80,
      });
      const path = `${UPLOADS}/${intent.body.data.uploadId}/complete`;
      const bad = await send(stage.service, "POST", path, {
        key: stage.rich.key,
        json: {},
        idempotencyKey: newKey(),
      });
      expect(bad.status).toBe(400);
      const foreign = await complete(stage.service, stage.stranger.key, intent, LOGO_SVG.byteLength);
      const missing = await send(stage.service, "POST", `${UPLOADS}/${randomUUID()}/complete`, {
        key: stage.stranger.key,
        json: { assetId: intent.body.data.assetId, byteLength: LOGO_SVG.byteLength },
        idempotencyKey: newKey(),
      });
      expect([foreign.status, missing.status]).toEqual([404, 404]);
      expect(foreign.body.error.message).toBe(missing.body.error.message);
    });
  });

  describe("§1 origins without file storage", () => {
    it("§7 completion is 502 UPLOAD_SERVICE_NOT_CONFIGURED; the other upload routes are 501", async () => {
      const { key } = await seedWorkspace(stage.withoutStorage, { credits: 1 });
      const json = intentBody({
        slotId: "logo",
        mimeType: "image/svg+xml",
        bytes: LOGO_SVG,
        width: 240,
        height: 80,
      });
      const intent = await send(stage.withoutStorage, "POST", UPLOADS, {
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
          (await send(stage.withoutStorage, "PUT", path, { key, bytes: LOGO_SVG, headers })).status,
        ).toBe(501);
      }
      const completed = await send(stage.withoutStorage, "POST", `${UPLOADS}/${randomUUID()}/complete`, {
        key,
        json: { assetId: randomUUID(), byteLength: 9 },
        idempotencyKey: newKey(),
      });
      expect([completed.status, completed.body.error.code]).toEqual([502, "UPLOAD_SERVICE_NOT_CONFIGURED"]);
    });
  });
};

/** A PNG whose header claims a size that its few bytes cannot hold. */
function lyingPng(width: number, height: number): Uint8Array {
  const bytes = new Uint8Array(8 + 25 + 12);
  bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const view = new DataView(bytes.buffer);
  view.setUint32(8, 13);
  bytes.set(new TextEncoder().encode("IHDR"), 12);
  view.setUint32(16, width);
  view.setUint32(20, height);
  bytes.set([8, 2, 0, 0, 0], 24);
  bytes.set(new TextEncoder().encode("IEND"), 37);
  return bytes;
}
