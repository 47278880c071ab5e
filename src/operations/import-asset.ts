import type { Outcome } from "#api/errors.ts";
import type { ImportAssetBody } from "#api/schemas/asset.ts";
import { type Asset, getAssetEvenDeleted } from "#domains/assets/asset.ts";
import { createImport, type ImportDeps } from "#domains/assets/imports/import-create.ts";
import { findRecord } from "#domains/idempotency/store.ts";
import {
  type IdempotencyLocks,
  type IdempotentResult,
  withIdempotency,
} from "#domains/idempotency/with-idempotency.ts";
import { latest } from "#platform/db/reader.ts";
import { noteWritten } from "#platform/log/origin-of-work.ts";
import type { Caller } from "./caller.ts";

const OPERATION = "POST /api/v1/assets/imports";

export interface ImportAssetDeps extends ImportDeps {
  readonly locks: IdempotencyLocks;
  /** Enqueues the message that fetches the file, in the background. */
  readonly enqueueImports: () => void;
}

/**
 * Creates an import's asset once per Idempotency-Key and enqueues the fetch; a repeated request returns the same asset.
 * Returns the refusals of `createImport`, and 409 for an Idempotency-Key that a different request used.
 */
export async function importAsset(
  { db, locks, enqueueImports, ...rules }: ImportAssetDeps,
  caller: Caller,
  body: ImportAssetBody,
  idempotencyKey: string,
): Promise<Outcome<IdempotentResult<Asset>>> {
  const { workspaceId, workspaceKind } = caller;
  const writes = latest(db);
  const identity = { operation: OPERATION, idempotencyKey };
  const started = await withIdempotency(
    db,
    { caller, identity, body },
    {
      locks,
      writes,
      read: async (claim) => ({ remembered: await findRecord(db, claim), facts: null }),
      execute: (claim) => createImport(writes, rules, claim, workspaceKind, body),
      replay: (assetId) => getAssetEvenDeleted(db, workspaceId, assetId),
    },
  );
  if (started.ok && !started.value.isReplay) {
    noteWritten(started.value.value.assetId);
    enqueueImports();
  }
  return started;
}
