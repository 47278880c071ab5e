import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { expectRateLimitHeaders, send } from "../support/client.ts";
import { LOGO_SVG } from "../support/files.ts";
import { complete, createIntent, LOGO } from "../support/flow.ts";
import type { MainHarness } from "../support/harness.ts";

export const uploadBytes = (harness: MainHarness): void => {
  const { service, rich } = harness;
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

  describe.each(PUTS)("API §4.24 %s", (_, address) => {
    const put = async (uploadId: string, bytes: Uint8Array, contentType: string, key = rich.key) => {
      const [path, headers] = address(uploadId);
      return send(service, "PUT", path as string, {
        key,
        bytes,
        headers: { ...(headers as Record<string, string>), "Content-Type": contentType },
      });
    };
    const logoIntent = () => createIntent(service, rich.key, LOGO);

    it("API §4.24 204 for exactly the intent's bytes and type, then completes", async () => {
      const intent = await logoIntent();
      const answer = await put(intent.uploadId, LOGO_SVG, "image/svg+xml");
      expect(answer.status).toBe(204);
      expect(answer.bytes).toHaveLength(0);
      expectRateLimitHeaders(answer);
      expect((await complete(service, rich.key, intent, LOGO_SVG.byteLength)).status).toBe(200);
    });

    it("API §4.24 204 for application/octet-stream, which client generators send; the asset has the intent's type", async () => {
      const intent = await logoIntent();
      expect((await put(intent.uploadId, LOGO_SVG, "application/octet-stream")).status).toBe(204);
      const completed = await complete(service, rich.key, intent, LOGO_SVG.byteLength);
      expect([completed.status, completed.body.data.mimeType]).toEqual([200, "image/svg+xml"]);
    });

    it("API §4.24 422 for fewer bytes or another type; the asset stays processing, and the upload may be repeated", async () => {
      const intent = await logoIntent();
      const { uploadId, assetId } = intent;
      expect((await put(uploadId, LOGO_SVG.slice(0, 50), "image/svg+xml")).status).toBe(422);
      const wrongType = await put(uploadId, LOGO_SVG, "image/png");
      expect([wrongType.status, wrongType.body.error.code]).toEqual([422, "UPLOAD_MISMATCH"]);
      const asset = await send(service, "GET", `/api/v1/assets/${assetId}`, {
        key: rich.key,
      });
      expect(asset.body.data.status).toBe("processing");
      expect((await put(uploadId, LOGO_SVG, "image/svg+xml")).status).toBe(204);
    });

    it("API §4.24 413 for more bytes than declared", async () => {
      const intent = await logoIntent();
      const more = new Uint8Array(LOGO_SVG.byteLength + 1);
      const answer = await put(intent.uploadId, more, "image/svg+xml");
      expect([answer.status, answer.body.error.code]).toEqual([413, "PAYLOAD_TOO_LARGE"]);
    });

    it("API §4.26 a completed upload accepts no more bytes", async () => {
      const intent = await logoIntent();
      await put(intent.uploadId, LOGO_SVG, "image/svg+xml");
      await complete(service, rich.key, intent, LOGO_SVG.byteLength);
      expect([409, 422]).toContain((await put(intent.uploadId, LOGO_SVG, "image/svg+xml")).status);
    });
  });

  describe("API §4.25 answers of the PUT routes", () => {
    it("API §4.25 PUT upload-object 400: no upload id, or two different ones", async () => {
      const headers = { "Content-Type": "image/png" };
      const bytes = new Uint8Array(4);
      const path = "/api/v1/assets/upload-object";
      expect((await send(service, "PUT", path, { key: rich.key, bytes, headers })).status).toBe(400);
      const two = await send(service, "PUT", `${path}?uploadId=${randomUUID()}`, {
        key: rich.key,
        bytes,
        headers: { ...headers, "x-service-cc-upload-id": randomUUID() },
      });
      expect(two.status).toBe(400);
    });

    it("API §4.26 PUT uploads/{uploadId}/object 409 once completed or expired", async () => {
      const intent = await createIntent(service, rich.key, LOGO);
      const { uploadId } = intent;
      await service.db.prepare("UPDATE uploads SET expires_at = 1 WHERE upload_id = ?").bind(uploadId).run();
      const answer = await send(service, "PUT", `/api/v1/assets/uploads/${uploadId}/object`, {
        key: rich.key,
        bytes: LOGO_SVG,
        headers: { "Content-Type": "image/svg+xml" },
      });
      expect([answer.status, answer.body.error.code]).toEqual([409, "UPLOAD_EXPIRED"]);
    });

    it("API §4.24 PUT 415: a content type that no slot accepts", async () => {
      for (const path of [`/api/v1/assets/uploads/${randomUUID()}/object`, "/api/v1/assets/upload-object"]) {
        const answer = await send(service, "PUT", path, {
          key: rich.key,
          bytes: new Uint8Array(4),
          headers: { "Content-Type": "text/html", "x-service-cc-upload-id": randomUUID() },
        });
        expect(answer.status).toBe(415);
      }
    });
  });
};
