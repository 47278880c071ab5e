import { expect, it, vi } from "vitest";
import { assetSchema } from "#api/schemas/asset.ts";
import { clock } from "#platform/clock.ts";
import unitsPerEm0 from "../fixtures/fonts/units-per-em-0.ttf";
import { logoFile, mediaFile } from "../support/asset-files.ts";
import {
  type AssetFile,
  complete,
  errorOf,
  resourceOf,
  send,
  sendBytes,
  uploadAsset,
} from "../support/assets.ts";
import { first, LENGTH, readAsset, second, sent } from "../support/completions.ts";
import { execute } from "../support/database.ts";
import { JPEG, JPEG_SIDEWAYS, padPng, png, SVG_WITH_SCRIPT } from "../support/files.ts";
import { pngChunk, pngFile } from "../support/png-file.ts";
import { createWorkspace } from "../support/workspace.ts";

/** Files with valid headers that cannot be drawn. */
const TRANSPARENT_SVG = '<svg viewBox="0 0 9 9"><rect width="9" height="9" fill="none"/></svg>';
const DAMAGED_PNG = pngFile(
  { width: 200, height: 200, bitDepth: 8, colourType: 6 },
  pngChunk("IDAT", new Uint8Array(90)),
);
const FLAT_FONT = new Uint8Array(unitsPerEm0);

it("200: a JPEG rotated by EXIF may be declared with either orientation", async () => {
  const { secret } = await createWorkspace({});
  const picture = { slotId: "media", fileName: "p", mimeType: "image/jpeg", width: 540, height: 360 };
  const files: [AssetFile, number, number][] = [
    [{ ...picture, bytes: JPEG_SIDEWAYS }, 360, 540],
    [{ ...picture, bytes: JPEG_SIDEWAYS, width: 360, height: 540 }, 360, 540],
  ];
  for (const [file, width, height] of files) {
    const asset = await readAsset(secret, await uploadAsset(secret, file));
    expect(asset).toMatchObject({ status: "ready", width, height });
  }
});

it("200: a file of exactly 26214400 bytes is accepted", async () => {
  const { secret } = await createWorkspace({});
  const bytes = padPng(mediaFile.bytes, 26_214_400);
  const asset = await readAsset(secret, await uploadAsset(secret, { ...mediaFile, bytes }));
  expect(asset).toMatchObject({ status: "ready", byteLength: 26_214_400 });
});

it("200: a replay returns the same asset, even after its deletion", async () => {
  const { secret } = await createWorkspace({});
  const intent = await sent(secret, first);
  const ready = await resourceOf(await complete(secret, intent, LENGTH, "k"), 200, assetSchema);
  const again = await complete(secret, intent, LENGTH, "k");
  expect(again.headers.get("Idempotent-Replayed")).toBe("true");
  expect(await resourceOf(again, 200, assetSchema)).toEqual(ready);
  await send(secret, "DELETE", `/api/v1/assets/${ready.assetId}`);
  const afterwards = await resourceOf(await complete(secret, intent, LENGTH, "k"), 200, assetSchema);
  expect({ ...afterwards, deletedAt: null }).toEqual(ready);
});

it("200: the same completion is recognized by its key after the request's record has expired", async () => {
  const { secret, workspaceId } = await createWorkspace({});
  const intent = await sent(secret, first);
  const ready = await resourceOf(await complete(secret, intent, LENGTH, "k"), 200, assetSchema);
  await execute`DELETE FROM idempotency_keys WHERE workspace_id = ${workspaceId}`;
  expect(await resourceOf(await complete(secret, intent, LENGTH, "k"), 200, assetSchema)).toEqual(ready);
});

it("422: bytes of another type than declared permanently reject the asset", async () => {
  const { secret } = await createWorkspace({});
  const disguised: [string, AssetFile][] = [
    ["NOT_WHAT_IT_CLAIMS", { ...mediaFile, mimeType: "image/webp" }],
    ["NOT_WHAT_IT_CLAIMS", { ...mediaFile, bytes: new TextEncoder().encode("<!doctype html><script>") }],
    ["TRUNCATED", { ...mediaFile, bytes: mediaFile.bytes.slice(0, -20) }],
    ["DIMENSIONS_DIFFER", { ...mediaFile, width: 481 }],
    ["DIMENSIONS_DIFFER", { ...mediaFile, bytes: png(479, 360) }],
    ["NOT_WHAT_IT_CLAIMS", { ...logoFile, bytes: new TextEncoder().encode("<html>hello</html>") }],
    ["FORBIDDEN_CONTENT", { ...logoFile, bytes: SVG_WITH_SCRIPT }],
    ["EMPTY", { ...logoFile, bytes: new TextEncoder().encode(TRANSPARENT_SVG) }],
    ["UNSUPPORTED", { ...logoFile, mimeType: "image/png", width: 200, height: 200, bytes: DAMAGED_PNG }],
    ["UNSUPPORTED", { slotId: "font", fileName: "f.ttf", mimeType: "font/ttf", bytes: FLAT_FONT }],
    ["NOT_WHAT_IT_CLAIMS", { slotId: "font", fileName: "f.ttf", mimeType: "font/ttf", bytes: JPEG }],
  ];
  for (const [code, file] of disguised) {
    const intent = await sent(secret, file);
    const error = await errorOf(await complete(secret, intent, intent.maxBytes, intent.uploadId), 422);
    expect(error, file.fileName).toMatchObject({
      code: "ASSET_REJECTED",
      details: { rejection: { code } },
    });
    expect(await readAsset(secret, intent.assetId)).toMatchObject({
      status: "rejected",
      sha256: null,
      rejection: { code, message: error.message },
    });
    const again = await errorOf(await complete(secret, intent, intent.maxBytes, intent.uploadId), 422);
    expect(again).toMatchObject({ code: "ASSET_REJECTED", message: error.message });
    expect((await errorOf(await sendBytes(secret, intent, file.bytes), 422)).code).toBe("ASSET_REJECTED");
  }
});

it("404: a deleted upload, and an asset of another upload", async () => {
  const { secret } = await createWorkspace({});
  const deleted = await sent(secret, first);
  await send(secret, "DELETE", `/api/v1/assets/${deleted.assetId}`);
  expect((await errorOf(await complete(secret, deleted), 404)).code).toBe("UPLOAD_NOT_FOUND");
  const [one, two] = [await sent(secret, first), await sent(secret, second)];
  const crossed = { ...one, assetId: two.assetId };
  expect((await errorOf(await complete(secret, crossed), 404)).code).toBe("ASSET_NOT_FOUND");
  expect(await readAsset(secret, two.assetId)).toMatchObject({ status: "processing" });
});

it("409: a completed upload stays completed after its asset was deleted, for any other key or body", async () => {
  const { secret } = await createWorkspace({});
  const intent = await sent(secret, first);
  const ready = await resourceOf(await complete(secret, intent), 200, assetSchema);
  await send(secret, "DELETE", `/api/v1/assets/${ready.assetId}`);
  const other = { ...intent, assetId: crypto.randomUUID() };
  for (const again of [
    await complete(secret, intent, intent.maxBytes, "another key"),
    await complete(secret, intent, intent.maxBytes + 1, "a third key"),
    await complete(secret, other, intent.maxBytes, "a fourth key"),
  ]) {
    const error = await errorOf(again, 409);
    expect(error.code).toBe("UPLOAD_ALREADY_COMPLETED");
    expect(error.message).toContain("deleted");
  }
});

it("409: an expired upload cannot be completed", async () => {
  const { secret } = await createWorkspace({});
  const intent = await sent(secret, first);
  const now = vi.spyOn(clock, "now").mockReturnValue(Date.parse(intent.expiresAt));
  const response = await complete(secret, intent).finally(() => now.mockRestore());
  expect((await errorOf(response, 409)).code).toBe("UPLOAD_EXPIRED");
});
