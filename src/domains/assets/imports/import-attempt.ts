import { IMPORT_BACKOFF_SECONDS } from "#api/limits.ts";
import type { Rejection } from "#api/schemas/asset.ts";
import { SLOTS, type SlotId } from "#api/slots.ts";
import { readAll } from "#platform/bytes/read-all.ts";
import { clock } from "#platform/clock.ts";
import { withLargeMemory } from "#platform/concurrency/memory.ts";
import { sha256Hex } from "#platform/crypto/hashing.ts";
import { unseal } from "#platform/crypto/sealed-secret.ts";
import { isGuardViolation } from "#platform/db/batch-guard.ts";
import type { Lease } from "#platform/db/leased-rows.ts";
import type { RowOf } from "#platform/db/statement.ts";
import { newId } from "#platform/ids.ts";
import type { LeasedWork } from "#platform/leased-work/leased-work.ts";
import {
  DONE,
  EXHAUSTED,
  type MessageResult,
  retryAfter,
  secondsToNextAttempt,
} from "#platform/leased-work/message-result.ts";
import { log } from "#platform/log/log.ts";
import { freeBytes } from "#renderer/buffers.ts";
import { detectUnsupportedFormat } from "#renderer/decode/unsupported-format.ts";
import { type Asset, objectPrefixOf } from "../asset.ts";
import { validateDrawn } from "../content-rules.ts";
import { cacheRenditions, type RenditionDeps } from "../slow-pictures.ts";
import { sniffType } from "../sniff-type.ts";
import { assetById } from "../store.ts";
import { type StoredBytes, storeBytes, type TypeOf } from "./import-bytes.ts";
import type { ImportDeps } from "./import-create.ts";
import { IMPORT_FAILED, type ImportFailure, invalidContent, wrongType } from "./import-failure.ts";
import { openFile } from "./import-fetch.ts";
import { startPace } from "./import-pace.ts";
import {
  assertImportHeld,
  claimImport,
  deleteExhausted,
  deleteImport,
  importRows,
  rejectExhausted,
  releaseImport,
  setImportReady,
  setImportRejected,
} from "./import-store.ts";

export interface ImportServices extends ImportDeps, RenditionDeps {}

const LOST_RETRY_MS = 30_000;

type ClaimedImport = RowOf<typeof claimImport> & Lease;

type ImportResult =
  | { readonly kind: "ready" }
  /**
   * Another attempt has the lease, the asset was deleted, or the workspace is suspended or expired; nothing was
   * written.
   */
  | { readonly kind: "lost" }
  | ImportFailure;

/** Imports as leased work. */
export const importWork: LeasedWork<ImportServices, RowOf<typeof claimImport>, ImportResult> = {
  logKey: "assetId",
  rows: importRows,
  claim: claimImport,
  endings: (db, attempt) => [
    rejectExhausted.bind(db, { ...attempt, ...IMPORT_FAILED }),
    deleteExhausted.bind(db, attempt),
  ],
  attempt: attemptImport,
  logged: ({ workspaceId }, result) => ({
    workspaceId,
    ...(result.kind === "failed" && { code: result.rejection.code }),
  }),
  settle,
};

/**
 * Attempts an import once: fetches the file, stores it under a new key, verifies it like a completed upload, and makes
 * the asset ready in one batch. `settle` writes failures.
 */
async function attemptImport(services: ImportServices, claimed: ClaimedImport): Promise<ImportResult> {
  const { db, bucket, encryption, addressRules } = services;
  const prefix = objectPrefixOf(claimed.workspaceId, claimed.assetId);
  if (claimed.attempts > 1) await deleteLeftovers(bucket, prefix);
  const asset = await assetById.first(db, claimed);
  if (asset === null) return { kind: "lost" };
  const { workspaceId, assetId } = claimed;
  const address = await unseal(encryption, { workspaceId, assetId }, claimed.sealed);
  if (address === null) return invalidContent(IMPORT_FAILED);
  const objectKey = `${prefix}/${newId()}`;
  const pace = startPace();
  const fetchFile = async (): Promise<StoredBytes | ImportFailure> => {
    const opened = await openFile(address, asset.slotId, addressRules, pace.signal);
    if (opened.kind === "failed") return opened;
    const typeOf: TypeOf = (head) => typeByHead(asset.slotId, opened.mimeType, head);
    return storeBytes(bucket, objectKey, opened, typeOf, pace);
  };
  const stored = await fetchFile().finally(pace.stop);
  if (stored.kind === "failed") return stored;
  const { mimeType, byteLength, sha256 } = stored;
  const file: File = { objectKey, mimeType, byteLength, sha256, width: null, height: null };
  const result = await withLargeMemory(() => verify(services, claimed, asset, file));
  if (result.kind !== "ready") await bucket.delete(objectKey).catch(() => undefined);
  return result;
}

/** Deletes the bytes that crashed attempts stored; this attempt has taken over their lease. */
async function deleteLeftovers(bucket: R2Bucket, prefix: string): Promise<void> {
  const { objects } = await bucket.list({ prefix: `${prefix}/` });
  if (objects.length > 0) await bucket.delete(objects.map(({ key }) => key));
}

/** The declared type, which the verification checks, or else the type sniffed from the first bytes. */
function typeByHead(slotId: SlotId, declared: Asset["mimeType"] | null, head: Uint8Array) {
  const mimeType = declared ?? sniffType(head);
  if (mimeType === null)
    return wrongType(slotId, "The server sent another type of file", detectUnsupportedFormat(head));
  return SLOTS[slotId].accepts.includes(mimeType) ? mimeType : wrongType(slotId, `The file is ${mimeType}`);
}

/** Reads the stored file, verifies it, and makes the asset ready. Needs a large part of the isolate's memory. */
async function verify(
  services: ImportServices,
  claimed: ClaimedImport,
  asset: Asset,
  stored: File,
): Promise<ImportResult> {
  const object = await services.bucket.get(stored.objectKey);
  if (object === null || object.size !== stored.byteLength) throw new Error("stored bytes are not there");
  const bytes = await readAll(object.body, stored.byteLength);
  try {
    if ((await sha256Hex(bytes)) !== stored.sha256) throw new Error("stored bytes are other bytes");
    const content = await validateDrawn(services.getRenderer, { ...stored, slotId: asset.slotId }, bytes);
    if (!content.ok) {
      const { workspaceId, assetId } = claimed;
      if (content.thrown !== undefined) {
        log.failure({ event: "inspection_failed", workspaceId, assetId }, content.thrown);
      }
      return invalidContent(content.rejection);
    }
    const file = { ...stored, width: content.width, height: content.height };
    if (!(await settleReady(services.db, claimed, file))) return { kind: "lost" };
    await cacheRenditions(services, { ...asset, ...file }, bytes);
    return { kind: "ready" };
  } finally {
    freeBytes(bytes);
  }
}

type File = Omit<Parameters<typeof setImportReady.bind>[1], "workspaceId" | "assetId" | "nowMs">;

/** Makes the asset ready and ends the import. Returns the result of `whileHeld`. */
const settleReady = (db: D1Database, claimed: ClaimedImport, file: File): Promise<boolean> =>
  whileHeld(db, claimed, (asset, nowMs) => [setImportReady.bind(db, { ...asset, ...file, nowMs })]);

/** Writes the result of an attempt that did not make the asset ready. */
async function settle(
  { db }: ImportServices,
  claimed: ClaimedImport,
  result: ImportResult,
): Promise<MessageResult> {
  if (result.kind === "ready") return DONE;
  const { id, leaseId, attempts } = claimed;
  /**
   * Schedules the next attempt. The same message runs it, or, if `dispatchedAtMs` is null, a new message that the sweep
   * sends.
   */
  const scheduleNext = (afterMs: number, dispatchedAtMs: number | null, failure: Rejection | null) =>
    releaseImport.run(db, {
      ...{ id, leaseId, nextAttemptAtMs: clock.now() + afterMs, dispatchedAtMs },
      failure: failure === null ? null : JSON.stringify(failure),
    });
  if (result.kind === "failed") {
    const { rejection, isTemporary, retryAfterSeconds } = result;
    const seconds = isTemporary
      ? secondsToNextAttempt(IMPORT_BACKOFF_SECONDS, attempts, retryAfterSeconds)
      : null;
    if (seconds !== null) {
      await scheduleNext(seconds * 1_000, clock.now(), {
        code: rejection.code,
        message: result.attemptMessage,
      });
      return retryAfter(seconds * 1_000);
    }
    if (await settleRejected(db, claimed, rejection)) return isTemporary ? EXHAUSTED : DONE;
  }
  await scheduleNext(LOST_RETRY_MS, null, null);
  return DONE;
}

/**
 * Rejects the asset for good and ends the import. Returns the result of `whileHeld`. The stored bytes have been deleted
 * already.
 */
const settleRejected = (db: D1Database, claimed: ClaimedImport, rejection: Rejection): Promise<boolean> =>
  whileHeld(db, claimed, (asset, nowMs) => [setImportRejected.bind(db, { ...asset, ...rejection, nowMs })]);

/**
 * Ends the import with these writes. False, with nothing written, when the lease is lost, the asset deleted, or the
 * workspace suspended or expired.
 */
async function whileHeld(
  db: D1Database,
  { workspaceId, assetId, leaseId }: ClaimedImport,
  writes: (
    asset: { readonly workspaceId: string; readonly assetId: string },
    nowMs: number,
  ) => readonly D1PreparedStatement[],
): Promise<boolean> {
  const nowMs = clock.now();
  const asset = { workspaceId, assetId };
  try {
    await db.batch([
      assertImportHeld.bind(db, { id: assetId, leaseId, nowMs }),
      ...writes(asset, nowMs),
      deleteImport.bind(db, asset),
    ]);
    return true;
  } catch (thrown) {
    if (isGuardViolation(thrown, "import_held")) return false;
    throw thrown;
  }
}
