import type { Client } from "../../scripts/demo/client.ts";
import { Failure } from "../../scripts/local/failure.ts";
import type { AssetBody } from "../../src/api/schemas/asset.ts";
import type { UploadIntentBody } from "../../src/api/schemas/upload.ts";
import type { SlotId } from "../../src/api/slots.ts";

/** A file to upload; width and height for pictures of pixels. */
export interface Upload {
  readonly slotId: SlotId;
  readonly mimeType: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly size: { readonly width: number; readonly height: number } | null;
}

/** Intent, bytes, completion: the id of the ready asset. */
export async function uploadAsset(
  client: Client,
  { slotId, mimeType, bytes, size }: Upload,
): Promise<string> {
  const intent = await client.post<UploadIntentBody>("/api/v1/assets/uploads", {
    slotId,
    fileName: `${slotId}.${mimeType.split(/[/+]/)[1]}`,
    mimeType,
    byteLength: bytes.byteLength,
    ...size,
  });
  const sent = await fetch(intent.url, {
    method: intent.method,
    headers: { ...client.headers, ...intent.headers },
    body: bytes,
  });
  await sent.arrayBuffer();
  if (sent.status !== 204) throw new Failure(`An upload was refused with ${sent.status}.`);
  const asset = await client.post<AssetBody>(`/api/v1/assets/uploads/${intent.uploadId}/complete`, {
    assetId: intent.assetId,
    byteLength: bytes.byteLength,
  });
  return asset.assetId;
}
