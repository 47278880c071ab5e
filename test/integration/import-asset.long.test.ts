import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { LIMITS } from "#api/limits.ts";
import { assetPageSchema, assetSchema } from "#api/schemas/asset.ts";
import { setSuspended } from "#domains/workspaces/store.ts";
import { clock } from "#platform/clock.ts";
import { sha256Hex } from "#platform/crypto/hashing.ts";
import { logoFile, mediaFile } from "../support/asset-files.ts";
import { errorOf, resourceOf, send, uploadAsset } from "../support/assets.ts";
import { execute } from "../support/database.ts";
import {
  consumeImport,
  FILE_URL,
  fileResponse,
  HOST,
  holdImportQueue,
  importing,
  objectsOf,
  postImport,
  readAsset,
  serve,
  storedImports,
} from "../support/imports.ts";
import { createWorkspace, type TestWorkspace } from "../support/workspace.ts";

let workspace: TestWorkspace;
let queue: ReturnType<typeof holdImportQueue>;
beforeEach(async () => {
  queue = holdImportQueue();
  workspace = await createWorkspace({ credits: 10 });
});

const media = () => fileResponse(mediaFile.bytes, mediaFile.mimeType);

describe("API §4.43 POST /assets/imports", () => {
  it("202 with a processing asset, which ends up identical to an uploaded one", async () => {
    serve({ [FILE_URL]: media() });
    const { secret, workspaceId } = workspace;
    const accepted = await postImport(secret, { slotId: "media", url: FILE_URL, fileName: "beach.jpg" });
    expect(accepted.headers.get("Retry-After")).toBe(String(LIMITS.importPollAfterSeconds));
    const asset = await resourceOf(accepted, 202, assetSchema);
    expect(accepted.headers.get("Location")).toBe(`/api/v1/assets/${asset.assetId}`);
    expect(asset).toMatchObject({
      ...{ status: "processing", slotId: "media", fileName: "beach.jpg", importedFrom: HOST },
      ...{ mimeType: null, byteLength: null, width: null, height: null, sha256: null },
    });
    const waiting = await send(secret, "GET", `/api/v1/assets/${asset.assetId}`);
    expect(waiting.headers.get("Retry-After")).toBe(String(LIMITS.importPollAfterSeconds));

    expect(await consumeImport(asset.assetId)).toBe("acknowledged");
    const ready = await send(secret, "GET", `/api/v1/assets/${asset.assetId}`);
    expect(ready.headers.get("Retry-After")).toBeNull();
    const imported = await resourceOf(ready, 200, assetSchema);
    const uploaded = await readAsset(secret, await uploadAsset(secret, mediaFile));
    const { mimeType, byteLength, width, height, sha256 } = uploaded;
    expect(imported).toMatchObject({ status: "ready", mimeType, byteLength, width, height, sha256 });
    expect(sha256).toBe(await sha256Hex(mediaFile.bytes));
    expect(await objectsOf(workspaceId, asset.assetId)).toHaveLength(1);
    expect(await storedImports(workspaceId)).toEqual([]);
    // A late duplicate has nothing to do.
    expect(await consumeImport(asset.assetId)).toBe("acknowledged");
    expect(await readAsset(secret, asset.assetId)).toEqual(imported);
  });

  it.each([
    ["an SVG served as text", "logo", "text/plain; charset=utf-8", logoFile.bytes, "image/svg+xml"],
    ["a file without a type", "media", null, mediaFile.bytes, mediaFile.mimeType],
    [
      "a file served as octet-stream",
      "media",
      "application/octet-stream",
      mediaFile.bytes,
      mediaFile.mimeType,
    ],
  ])("reads the type from the file: %s", async (_, slotId, contentType, bytes, mimeType) => {
    serve({ [FILE_URL]: fileResponse(bytes, contentType) });
    const { assetId, fileName } = await importing(workspace.secret, { slotId });
    expect(fileName).toBe(slotId);
    await consumeImport(assetId);
    expect(await readAsset(workspace.secret, assetId)).toMatchObject({ status: "ready", mimeType });
  });

  it("a multipart file without a declared length is stored completely", async () => {
    const bytes = new Uint8Array(11 * 1_048_576);
    bytes.set(mediaFile.bytes);
    const chunks = Array.from({ length: 11 }, (__, at) => bytes.slice(at * 1_048_576, (at + 1) * 1_048_576));
    const stream = () =>
      new ReadableStream<Uint8Array>({
        pull(controller) {
          const chunk = chunks.shift();
          if (chunk === undefined) controller.close();
          else controller.enqueue(chunk);
        },
      });
    serve({ [FILE_URL]: () => new Response(stream(), { headers: { "Content-Type": "image/png" } }) });
    const { assetId } = await importing(workspace.secret);
    await consumeImport(assetId);
    const asset = await readAsset(workspace.secret, assetId);
    // Bytes after the image's end are kept, like an upload's.
    expect(asset).toMatchObject({
      status: "ready",
      byteLength: bytes.byteLength,
      sha256: await sha256Hex(bytes),
    });
    const [key] = await objectsOf(workspace.workspaceId, assetId);
    const stored = await env.BUCKET.get(key ?? "");
    expect(await sha256Hex(new Uint8Array((await stored?.arrayBuffer()) ?? []))).toBe(asset.sha256);
  });
});

describe("API §4.44 a refusal creates nothing", () => {
  it.each([
    ["a private address", "https://10.0.0.1/a.png"],
    ["a user name", "https://user:secret@images.customer.example/a.png"],
    ["no address", "beach.png"],
  ])("%s is 422 ADDRESS_REFUSED, without quoting the address", async (_, url) => {
    const { asked } = serve({});
    const error = await errorOf(await postImport(workspace.secret, { slotId: "media", url }), 422);
    expect(error.code).toBe("ADDRESS_REFUSED");
    expect(error.details).toMatchObject({ field: "url" });
    expect(JSON.stringify(error)).not.toContain("secret");
    expect(asked).toEqual([]);
    const page = await send(workspace.secret, "GET", "/api/v1/assets");
    expect((await resourceOf(page, 200, assetPageSchema)).items).toEqual([]);
  });

  it("an unknown slot or an invalid file name is 400, and the error names the member", async () => {
    const refused = async (body: unknown) => errorOf(await postImport(workspace.secret, body), 400);
    const slot = await refused({ slotId: "hero", url: FILE_URL });
    expect([slot.code, slot.details?.field]).toEqual(["UPLOAD_INTENT_INVALID", "slotId"]);
    const name = await refused({ slotId: "media", url: FILE_URL, fileName: "../a" });
    expect([name.code, name.details?.field]).toEqual(["UPLOAD_INTENT_INVALID", "fileName"]);
    expect((await refused({ slot: "media", url: FILE_URL })).code).toBe("INVALID_REQUEST");
  });

  it("409 while a workspace has no room for a file of the maximum size, even if other imports have finished", async () => {
    const poor = await createWorkspace({});
    serve({ [FILE_URL]: () => media() });
    await execute`INSERT INTO assets (asset_id, workspace_id, slot_id, status, file_name, mime_type, byte_length, object_key, created_at)
       VALUES (${crypto.randomUUID()}, ${poor.workspaceId}, 'media', 'ready', 'a', 'image/png', ${LIMITS.assetBytesUnpaidMax - LIMITS.uploadBytesMax}, 'k', 1)`;
    const { assetId } = await importing(poor.secret);
    const full = await postImport(poor.secret, { slotId: "media", url: FILE_URL });
    expect((await errorOf(full, 409)).code).toBe("ASSET_LIMIT_REACHED");
    await consumeImport(assetId);
    // The file is small, but less room is left than the largest allowed file needs.
    expect((await readAsset(poor.secret, assetId)).status).toBe("ready");
    expect((await postImport(poor.secret, { slotId: "media", url: FILE_URL })).status).toBe(409);
    await send(poor.secret, "DELETE", `/api/v1/assets/${assetId}`);
  });
});

describe("API §4.47, §11.7 changes during an import", () => {
  it("if its asset is deleted, the URL is deleted at once, and no bytes are stored", async () => {
    const { secret, workspaceId } = workspace;
    const { assetId } = await importing(secret);
    serve({
      [FILE_URL]: async () => {
        expect((await send(secret, "DELETE", `/api/v1/assets/${assetId}`)).status).toBe(200);
        return media();
      },
    });
    expect(await consumeImport(assetId)).toBe("acknowledged");
    expect(await storedImports(workspaceId)).toEqual([]);
    expect(await objectsOf(workspaceId, assetId)).toEqual([]);
    expect((await send(secret, "GET", `/api/v1/assets/${assetId}`)).status).toBe(404);
    const { asked } = serve({});
    expect(await consumeImport(assetId)).toBe("acknowledged");
    expect(asked).toEqual([]);
  });

  it("if its workspace is suspended, nothing is fetched or written until the workspace is active again", async () => {
    const { secret, workspaceId } = workspace;
    const suspend = (sinceMs: number | null) => setSuspended.run(env.DB, { workspaceId, sinceMs });
    const { assetId } = await importing(secret);
    const { asked } = serve({
      [FILE_URL]: async () => {
        await suspend(1);
        return media();
      },
    });
    expect(await consumeImport(assetId)).toBe("acknowledged");
    expect(await objectsOf(workspaceId, assetId)).toEqual([]);
    vi.spyOn(clock, "now").mockReturnValue(clock.now() + 60_000);
    expect(await consumeImport(assetId)).toBe("acknowledged");
    expect(asked).toHaveLength(1);
    const sent = queue.mockResolvedValue({ metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } });
    sent.mockClear();
    const { sendPendingImports } = await import("#domains/assets/imports/dispatch-imports.ts");
    await sendPendingImports(env.IMPORT_QUEUE, env.DB, clock.now());
    const bodies = () => sent.mock.calls.flatMap(([messages]) => [...messages].map(({ body }) => body));
    expect(bodies()).not.toContainEqual({ assetId });
    await suspend(null);
    await sendPendingImports(env.IMPORT_QUEUE, env.DB, clock.now());
    expect(bodies()).toContainEqual({ assetId });
    serve({ [FILE_URL]: media() });
    await consumeImport(assetId);
    expect((await readAsset(secret, assetId)).status).toBe("ready");
  });
});
