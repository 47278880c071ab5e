import { expect } from "vitest";
import { assetSchema } from "#api/schemas/asset.ts";
import type { UploadIntentBody } from "#api/schemas/upload.ts";
import { mediaFile, otherMediaFile } from "./asset-files.ts";
import { type AssetFile, createIntent, resourceOf, send, sendBytes } from "./assets.ts";
import { padPng } from "./files.ts";

/** Uploads that are ready for completion. */

/** Two files of equal length and dimensions, so that the bytes of each match the upload intent of the other. */
export const LENGTH = Math.max(mediaFile.bytes.byteLength, otherMediaFile.bytes.byteLength) + 100;
export const first: AssetFile = { ...mediaFile, bytes: padPng(mediaFile.bytes, LENGTH) };
export const second: AssetFile = { ...otherMediaFile, bytes: padPng(otherMediaFile.bytes, LENGTH) };

/** Creates an upload intent and sends its bytes. */
export async function sent(secret: string, file: AssetFile): Promise<UploadIntentBody> {
  const intent = await createIntent(secret, file);
  expect((await sendBytes(secret, intent, file.bytes)).status).toBe(204);
  return intent;
}

export const readAsset = async (secret: string, assetId: string) =>
  resourceOf(await send(secret, "GET", `/api/v1/assets/${assetId}`), 200, assetSchema);
