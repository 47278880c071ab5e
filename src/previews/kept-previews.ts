import { base64ToUint8Array } from "uint8array-extras";
import { z } from "zod";
import { LIMITS } from "../contract/limits.ts";
import { type KeptPreview, keptPreviewSchema } from "../contract/schemas/preview.ts";
import { sha256Hex } from "../platform/hashing.ts";
import type { PreviewSubject } from "./identity.ts";
import { upsertPreview } from "./store.ts";

/** A kept preview as one object in storage: the picture and all that is said of it. */
const storedSchema = z.object({ drawnAtMs: z.int(), preview: keptPreviewSchema });

/** Larger objects are not ours: a picture of 1080 pixels a side takes far less. */
const OBJECT_BYTES_MAX = 8 * 1024 * 1024;

const previewObjectKey = (workspaceId: string, { previewId, protection }: PreviewSubject): string =>
  `workspaces/${workspaceId}/previews/${previewId}/${protection}.json`;

/**
 * The preview as it was drawn before, or null: never drawn, older than `ageMsMax`, or not stored as it was.
 */
export async function findKept(
  bucket: R2Bucket,
  workspaceId: string,
  subject: PreviewSubject,
  nowMs: number,
  ageMsMax: number = LIMITS.previewCacheMs,
): Promise<KeptPreview | null> {
  const object = await bucket.get(previewObjectKey(workspaceId, subject));
  if (object === null) return null;
  if (object.size > OBJECT_BYTES_MAX) {
    await object.body.cancel();
    return null;
  }
  const stored = storedSchema.safeParse(readJson(await object.text()));
  if (!stored.success || stored.data.drawnAtMs + ageMsMax <= nowMs) return null;
  const { preview } = stored.data;
  const isWhole = (await sha256Hex(fromBase64(preview.image.base64))) === preview.image.sha256;
  return isWhole ? preview : null;
}

/** Keeps a preview; its row in the database comes first, so that nothing is stored that no sweep would find. */
export async function keepPreview(
  { db, bucket }: { readonly db: D1Database; readonly bucket: R2Bucket },
  workspaceId: string,
  preview: KeptPreview,
  nowMs: number,
): Promise<void> {
  const objectKey = previewObjectKey(workspaceId, preview);
  const expiresAt = nowMs + LIMITS.previewCacheMs + LIMITS.previewIdempotencyMs;
  await upsertPreview.run(db, { objectKey, workspaceId, expiresAt });
  const stored: z.infer<typeof storedSchema> = { drawnAtMs: nowMs, preview };
  await bucket.put(objectKey, JSON.stringify(stored), { httpMetadata: { contentType: "application/json" } });
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The bytes of a text in base64; none when it is not. */
function fromBase64(text: string): Uint8Array {
  try {
    return base64ToUint8Array(text);
  } catch {
    return new Uint8Array(0);
  }
}
