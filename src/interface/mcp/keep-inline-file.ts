import type { Context } from "hono";
import type { Outcome } from "#api/errors.ts";
import type { SlotId } from "#api/slots.ts";
import { type Asset, getAssetEvenDeleted } from "#domains/assets/asset.ts";
import { completeUpload } from "#domains/assets/complete-upload.ts";
import { createUpload, readUpload } from "#domains/assets/create-upload.ts";
import { receiveBytes } from "#domains/assets/receive-bytes.ts";
import { uploadById } from "#domains/assets/store.ts";
import { sha256Hex } from "#platform/crypto/hashing.ts";
import { getRenderer } from "#platform/render-engine.ts";
import type { AppEnv } from "../http/context.ts";
import { withIdempotency } from "../http/idempotency.ts";
import { requireCapability } from "../http/require-capability.ts";
import type { InlineFile } from "./inline-file.ts";

/** A file to keep as an asset, under the caller's name for the import. */
interface InlineImport {
  readonly slotId: SlotId;
  readonly fileName: string;
  readonly file: InlineFile;
  readonly idempotencyKey: string;
}

/** The name of one step. Hashed, so that it is short enough and no other operation's. */
const stepKey = async (step: string, idempotencyKey: string): Promise<string> =>
  `mcp-${step}-${await sha256Hex(idempotencyKey)}`;

/**
 * Keeps the file as an upload is kept: intent, bytes, completion, each once for the import's name, so that a repeated
 * call goes on where the first ended. Refuses as the three do.
 */
export async function keepInlineFile(
  c: Context<AppEnv>,
  { slotId, fileName, file, idempotencyKey }: InlineImport,
): Promise<Outcome<Asset>> {
  const { db, workspaceId } = c.get("workspace");
  const { workspaceKind, apiKeyId } = c.get("principal");
  const bucket = requireCapability(c, "storage");
  const { bytes, mimeType, width, height } = file;
  const { byteLength } = bytes;
  const intent = {
    slotId,
    fileName,
    mimeType,
    byteLength,
    ...(width !== null && height !== null && { width, height }),
  };
  const created = await withIdempotency(c, {
    identity: { operation: "import_asset", idempotencyKey: await stepKey("import", idempotencyKey) },
    body: { ...intent, sha256: await sha256Hex(bytes) },
    execute: (claim) => createUpload(db, claim, workspaceKind, intent),
    replay: (uploadId) => readUpload(db, workspaceId, uploadId),
  });
  if (!created.ok) return created;
  const { uploadId, status, asset } = created.value.value;
  if (status === "pending") {
    const received = await receiveBytes(
      db,
      bucket,
      {
        workspaceId,
        apiKeyId,
        uploadId,
        contentType: mimeType,
        contentLength: byteLength,
        body: new Response(bytes).body,
      },
      c.get("nowMs"),
    );
    if (!received.ok) return received;
  }
  const body = { assetId: asset.assetId, byteLength };
  const completed = await withIdempotency(c, {
    identity: { operation: "import_asset", idempotencyKey: await stepKey("complete", idempotencyKey) },
    body,
    reads: (session) => [uploadById.bind(session, { workspaceId, uploadId })],
    execute: (claim, [read]) =>
      completeUpload({ db, bucket, getRenderer }, claim, uploadId, body, uploadById.row(read)),
    replay: (assetId) => getAssetEvenDeleted(db, workspaceId, assetId),
  });
  return completed.ok ? { ok: true, value: completed.value.value } : completed;
}
