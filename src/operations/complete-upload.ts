import type { Outcome } from "#api/errors.ts";
import type { CompleteUploadBody } from "#api/schemas/upload.ts";
import { type Asset, getAssetEvenDeleted } from "#domains/assets/asset.ts";
import { type CompleteUploadDeps, completeUpload } from "#domains/assets/complete-upload.ts";
import { uploadById } from "#domains/assets/store.ts";
import { findRecordWith } from "#domains/idempotency/store.ts";
import {
  type IdempotencyLocks,
  type IdempotentResult,
  type RequestIdentity,
  withIdempotency,
} from "#domains/idempotency/with-idempotency.ts";
import { latest } from "#platform/db/reader.ts";
import type { Caller } from "./caller.ts";

export interface CompletionDeps extends Omit<CompleteUploadDeps, "writes"> {
  readonly locks: IdempotencyLocks;
}

/**
 * Completes an upload once per Idempotency-Key (`completeUpload`). A repeated request returns the asset that the first
 * request completed.
 */
export async function completeUploadOnce(
  { locks, ...deps }: CompletionDeps,
  caller: Caller,
  identity: RequestIdentity,
  uploadId: string,
  body: CompleteUploadBody,
): Promise<Outcome<IdempotentResult<Asset>>> {
  const { db } = deps;
  const { workspaceId } = caller;
  const writes = latest(db);
  return withIdempotency(
    db,
    { caller, identity, body },
    {
      locks,
      writes,
      read: (claim) => findRecordWith(db, claim, uploadById, { workspaceId, uploadId }),
      execute: (claim, [upload = null]) => completeUpload({ ...deps, writes }, claim, uploadId, body, upload),
      replay: (assetId) => getAssetEvenDeleted(db, workspaceId, assetId),
    },
  );
}
