import { env } from "cloudflare:workers";
import { uint8ArrayToHex } from "uint8array-extras";
import { describe, expect, it, vi } from "vitest";
import { assetSchema } from "#api/schemas/asset.ts";
import type { UploadIntentBody } from "#api/schemas/upload.ts";
import { clock } from "#platform/clock.ts";
import { logoFile, mediaFile } from "../support/asset-files.ts";
import { complete, createIntent, errorOf, resourceOf, send } from "../support/assets.ts";
import { createWorkspace } from "../support/workspace.ts";

/** The two routes for bytes, and their URLs. */
const ROUTES = [
  {
    name: "PUT /api/v1/assets/upload-object",
    closedStatus: 422,
    targetOf: ({ url }: UploadIntentBody) => url,
  },
  {
    name: "PUT /api/v1/assets/uploads/{uploadId}/object",
    closedStatus: 409,
    targetOf: ({ uploadId }: UploadIntentBody) => `/api/v1/assets/uploads/${uploadId}/object`,
  },
] as const;

/** A body without Content-Length. */
const inChunks = (bytes: Uint8Array, chunkLength = 1_000): ReadableStream<Uint8Array> => {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.byteLength) return controller.close();
      controller.enqueue(bytes.slice(at, at + chunkLength));
      at += chunkLength;
    },
  });
};

/** Objects stored for an asset. */
async function storedObjects(workspaceId: string, assetId: string): Promise<R2Object[]> {
  return (await env.BUCKET.list({ prefix: `workspaces/${workspaceId}/assets/${assetId}` })).objects;
}

describe.each(ROUTES)("$name", ({ targetOf, closedStatus }) => {
  const put = (
    secret: string,
    intent: UploadIntentBody,
    body: BodyInit | null,
    contentType: string | null = intent.headers["Content-Type"] ?? null,
  ) =>
    send(secret, "PUT", targetOf(intent), {
      headers: contentType === null ? {} : { "Content-Type": contentType },
      body,
    });

  it("204: accepts a chunked body without a length", async () => {
    const { secret } = await createWorkspace({});
    const intent = await createIntent(secret, mediaFile);
    expect((await put(secret, intent, inChunks(mediaFile.bytes))).status).toBe(204);
    await resourceOf(await complete(secret, intent), 200, assetSchema);
  });

  it("204: accepts the type with parameters and in any case", async () => {
    const { secret } = await createWorkspace({});
    const intent = await createIntent(secret, logoFile);
    expect((await put(secret, intent, logoFile.bytes, "Image/SVG+xml; charset=utf-8")).status).toBe(204);
  });

  it("204: bytes sent again replace the first bytes, which are deleted", async () => {
    const { secret, workspaceId } = await createWorkspace({});
    const intent = await createIntent(secret, { ...logoFile, bytes: new Uint8Array(64).fill(1) });
    expect((await put(secret, intent, new Uint8Array(64).fill(1))).status).toBe(204);
    expect((await put(secret, intent, new Uint8Array(64).fill(2))).status).toBe(204);
    const objects = await storedObjects(workspaceId, intent.assetId);
    expect(objects).toHaveLength(1);
    const stored = await env.BUCKET.get(objects[0]?.key ?? "");
    expect(new Uint8Array((await stored?.arrayBuffer()) ?? new ArrayBuffer(0))).toEqual(
      new Uint8Array(64).fill(2),
    );
  });

  it("413: one byte too many is refused and not stored", async () => {
    const { secret, workspaceId } = await createWorkspace({});
    const intent = await createIntent(secret, mediaFile);
    const tooMany = new Uint8Array(mediaFile.bytes.byteLength + 1);
    for (const body of [tooMany, inChunks(tooMany)]) {
      expect((await errorOf(await put(secret, intent, body), 413)).code).toBe("PAYLOAD_TOO_LARGE");
    }
    expect(await storedObjects(workspaceId, intent.assetId)).toHaveLength(0);
  });

  it("422: too few bytes are refused and may be sent again", async () => {
    const { secret, workspaceId } = await createWorkspace({});
    const intent = await createIntent(secret, mediaFile);
    const tooFew = mediaFile.bytes.slice(1);
    for (const body of [tooFew, inChunks(tooFew), null]) {
      const error = await errorOf(await put(secret, intent, body), 422);
      expect(error).toMatchObject({ code: "UPLOAD_MISMATCH", details: { safeToRetryUnchanged: true } });
    }
    expect(await storedObjects(workspaceId, intent.assetId)).toHaveLength(0);
    expect((await put(secret, intent, mediaFile.bytes)).status).toBe(204);
  });

  it("400: an upload id that is not a UUID is malformed", async () => {
    const { secret } = await createWorkspace({});
    const intent = await createIntent(secret, logoFile);
    const malformed = { ...intent, uploadId: "7", url: "/api/v1/assets/upload-object?uploadId=7" };
    expect((await put(secret, malformed, logoFile.bytes)).status).toBe(400);
  });

  it("after completion, new bytes are refused as in API §4.26, and the verified bytes stay", async () => {
    const { secret, workspaceId } = await createWorkspace({});
    const intent = await createIntent(secret, mediaFile);
    expect((await put(secret, intent, mediaFile.bytes)).status).toBe(204);
    const ready = await resourceOf(await complete(secret, intent), 200, assetSchema);
    const error = await errorOf(await put(secret, intent, mediaFile.bytes), closedStatus);
    expect(error.code).toBe(closedStatus === 409 ? "UPLOAD_ALREADY_COMPLETED" : "UPLOAD_CLOSED");
    const objects = await storedObjects(workspaceId, intent.assetId);
    expect(objects).toHaveLength(1);
    const stored = await env.BUCKET.get(objects[0]?.key ?? "");
    await send(secret, "DELETE", `/api/v1/assets/${intent.assetId}`);
    expect((await errorOf(await put(secret, intent, mediaFile.bytes), closedStatus)).code).toBe(error.code);
    const digest = await crypto.subtle.digest("SHA-256", (await stored?.arrayBuffer()) ?? new ArrayBuffer(0));
    expect(uint8ArrayToHex(digest)).toBe(ready.sha256);
  });

  it("accepts bytes until the intent expires, to the millisecond", async () => {
    const { secret } = await createWorkspace({});
    const intent = await createIntent(secret, logoFile);
    const now = vi.spyOn(clock, "now");
    now.mockReturnValue(Date.parse(intent.expiresAt) - 1);
    expect((await put(secret, intent, logoFile.bytes)).status).toBe(204);
    now.mockReturnValue(Date.parse(intent.expiresAt));
    const error = await errorOf(await put(secret, intent, logoFile.bytes), closedStatus);
    expect(error.code).toBe(closedStatus === 409 ? "UPLOAD_EXPIRED" : "UPLOAD_CLOSED");
  });

  it("404: a deleted asset accepts no bytes", async () => {
    const { secret } = await createWorkspace({});
    const intent = await createIntent(secret, logoFile);
    expect((await send(secret, "DELETE", `/api/v1/assets/${intent.assetId}`)).status).toBe(200);
    expect((await errorOf(await put(secret, intent, logoFile.bytes), 404)).code).toBe("UPLOAD_NOT_FOUND");
  });

  it("500: a failing bucket stores nothing, and the answer does not reveal the cause", async () => {
    const { secret } = await createWorkspace({});
    const intent = await createIntent(secret, logoFile);
    const broken = vi.spyOn(env.BUCKET, "put").mockRejectedValue(new Error("inner text"));
    const response = await put(secret, intent, logoFile.bytes).finally(() => broken.mockRestore());
    const error = await errorOf(response, 500);
    expect(JSON.stringify(error)).not.toContain("inner text");
    expect((await put(secret, intent, logoFile.bytes)).status).toBe(204);
  });
});
