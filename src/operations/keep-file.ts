import { accept, type Outcome } from "#api/errors.ts";
import type { MimeType, SlotId } from "#api/slots.ts";
import type { Asset } from "#domains/assets/asset.ts";
import { createUpload, readUpload } from "#domains/assets/create-upload.ts";
import { receiveBytes } from "#domains/assets/receive-bytes.ts";
import { findRecord } from "#domains/idempotency/store.ts";
import { type IdempotentResult, withIdempotency } from "#domains/idempotency/with-idempotency.ts";
import { sha256Hex } from "#platform/crypto/hashing.ts";
import type { Caller } from "./caller.ts";
import { type CompletionDeps, completeUploadOnce } from "./complete-upload.ts";

/** A file to store as an asset, with the caller's idempotency key. */
export interface FileToStore {
  readonly slotId: SlotId;
  readonly fileName: string;
  readonly bytes: Uint8Array;
  readonly mimeType: MimeType;
  /** Pixels of the stored image; null for fonts and SVG. */
  readonly width: number | null;
  readonly height: number | null;
  readonly idempotencyKey: string;
}

/** Operation and Idempotency-Key of one step. Hashing keeps the key short and distinct from other operations' keys. */
const stepOf = async (step: string, idempotencyKey: string) => ({
  operation: "import_asset",
  idempotencyKey: `mcp-${step}-${await sha256Hex(idempotencyKey)}`,
});

/**
 * Stores a file with the three steps of an upload: intent, bytes, completion. Each step runs once per idempotency key,
 * so a repeated call continues where the previous call stopped. If a step is refused, returns its refusal.
 */
export async function keepFile(
  deps: CompletionDeps,
  caller: Caller,
  { slotId, fileName, bytes, mimeType, width, height, idempotencyKey }: FileToStore,
): Promise<Outcome<IdempotentResult<Asset>>> {
  const { db, bucket, locks } = deps;
  const { workspaceId, workspaceKind, apiKeyId, nowMs } = caller;
  const { byteLength } = bytes;
  const size = width !== null && height !== null ? { width, height } : {};
  const intent = { slotId, fileName, mimeType, byteLength, ...size };
  const kept = { ...intent, sha256: await sha256Hex(bytes) };
  const identity = await stepOf("import", idempotencyKey);
  const created = await withIdempotency(
    db,
    { caller, identity, body: kept },
    {
      locks,
      read: async (claim) => ({ remembered: await findRecord(db, claim), facts: null }),
      execute: (claim) => createUpload(db, claim, workspaceKind, intent),
      replay: (uploadId) => readUpload(db, workspaceId, uploadId),
    },
  );
  if (!created.ok) return created;
  const { uploadId, status, asset } = created.value.value;
  if (status === "pending") {
    const { body } = new Response(bytes);
    const sent = { workspaceId, apiKeyId, uploadId, contentType: mimeType, contentLength: byteLength, body };
    const received = await receiveBytes(db, bucket, sent, nowMs);
    if (!received.ok) return received;
  }
  const step = await stepOf("complete", idempotencyKey);
  const declared = { assetId: asset.assetId, byteLength };
  const completed = await completeUploadOnce(deps, caller, step, uploadId, declared);
  if (!completed.ok) return completed;
  const { value, isReplay } = completed.value;
  return accept({ value, isReplay: isReplay || created.value.isReplay, bookmark: null });
}
