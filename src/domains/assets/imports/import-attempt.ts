import type { Rejection } from "#api/schemas/asset.ts";
import { SLOTS, type SlotId } from "#api/slots.ts";
import { readAll } from "#platform/bytes/read-all.ts";
import { clock } from "#platform/clock.ts";
import { withLargeMemory } from "#platform/concurrency/memory.ts";
import { sha256Hex } from "#platform/crypto/hashing.ts";
import { unseal } from "#platform/crypto/sealed-secret.ts";
import { isGuardViolation } from "#platform/db/guard.ts";
import { newId } from "#platform/ids.ts";
import { log } from "#platform/log/log.ts";
import { freeBytes } from "#renderer/buffers.ts";
import { findForeignType } from "#renderer/decode/foreign-type.ts";
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
import { assertImportHeld, deleteImport, setImportReady, setImportRejected } from "./import-store.ts";

export interface ImportServices extends ImportDeps, RenditionDeps {}

/** An attempt that was claimed. */
export interface ClaimedImport {
  readonly workspaceId: string;
  readonly assetId: string;
  readonly leaseId: string;
  readonly sealed: string;
  readonly attempts: number;
}

export type ImportResult =
  | { readonly kind: "ready" }
  /** Another attempt has the lease, the asset was deleted, or the workspace may not act: nothing was written. */
  | { readonly kind: "lost" }
  | ImportFailure;

/**
 * Attempts an import once: fetches the file, stores it under a key of its own, verifies it as a completed upload is, and
 * makes the asset ready in one batch. Does not write failures. Throws when a service of ours fails; all of it may be
 * repeated.
 */
export async function attemptImport(services: ImportServices, claimed: ClaimedImport): Promise<ImportResult> {
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
  const result = await withLargeMemory(() => verify(services, claimed, asset, objectKey, stored));
  if (result.kind !== "ready") await bucket.delete(objectKey).catch(() => undefined);
  return result;
}

/** What earlier attempts stored and did not come to name: they crashed, and this one has their lease. */
async function deleteLeftovers(bucket: R2Bucket, prefix: string): Promise<void> {
  const { objects } = await bucket.list({ prefix: `${prefix}/` });
  if (objects.length > 0) await bucket.delete(objects.map(({ key }) => key));
}

/** The declared type, which the verification holds against the file; where none is, the one that the bytes begin as. */
function typeByHead(slotId: SlotId, declared: Asset["mimeType"] | null, head: Uint8Array) {
  const mimeType = declared ?? sniffType(head);
  if (mimeType === null)
    return wrongType(slotId, "The server sent another type of file", findForeignType(head));
  return SLOTS[slotId].accepts.includes(mimeType) ? mimeType : wrongType(slotId, `The file is ${mimeType}`);
}

/** Reads what was stored, verifies it, and makes the asset ready. Needs a large part of the isolate's memory. */
async function verify(
  services: ImportServices,
  claimed: ClaimedImport,
  asset: Asset,
  objectKey: string,
  { byteLength, sha256, mimeType }: StoredBytes,
): Promise<ImportResult> {
  const object = await services.bucket.get(objectKey);
  if (object === null || object.size !== byteLength) throw new Error("stored bytes are not there");
  const bytes = await readAll(object.body, byteLength);
  try {
    return await verifyBytes(services, claimed, asset, { objectKey, byteLength, sha256, mimeType }, bytes);
  } finally {
    freeBytes(bytes);
  }
}

interface StoredFile extends Omit<StoredBytes, "kind"> {
  readonly objectKey: string;
}

async function verifyBytes(
  services: ImportServices,
  claimed: ClaimedImport,
  asset: Asset,
  stored: StoredFile,
  bytes: Uint8Array,
): Promise<ImportResult> {
  const { mimeType, sha256 } = stored;
  if ((await sha256Hex(bytes)) !== sha256) throw new Error("stored bytes are other bytes");
  const { slotId } = asset;
  const declared = { slotId, mimeType, width: null, height: null };
  const content = await validateDrawn(services.getRenderer, declared, bytes);
  if (!content.ok) {
    if (content.thrown !== undefined) {
      const { workspaceId, assetId } = claimed;
      log.failure(
        {
          event: "inspection_failed",
          workspaceId,
          assetId,
        },
        content.thrown,
      );
    }
    return invalidContent(content.rejection);
  }
  const { width, height } = content;
  const file = { ...stored, width, height };
  if (!(await settleReady(services.db, claimed, file))) return { kind: "lost" };
  await cacheRenditions(services, { ...asset, ...file }, bytes);
  return { kind: "ready" };
}

type File = Omit<Parameters<typeof setImportReady.bind>[1], "workspaceId" | "assetId" | "nowMs">;

/** Makes the asset ready and ends the import; false where the attempt may not. */
const settleReady = (db: D1Database, claimed: ClaimedImport, file: File): Promise<boolean> =>
  whileHeld(db, claimed, (asset, nowMs) => [setImportReady.bind(db, { ...asset, ...file, nowMs })]);

/** Rejects the asset for good and ends the import; false where the attempt may not. Nothing of it is stored any more. */
export const settleRejected = (
  db: D1Database,
  claimed: ClaimedImport,
  rejection: Rejection,
): Promise<boolean> =>
  whileHeld(db, claimed, (asset, nowMs) => [
    setImportRejected.bind(db, { ...asset, ...rejection, byteLength: 0, nowMs }),
  ]);

/** Ends the import with these writes, unless the lease is lost, the asset deleted or the workspace stopped. */
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
      assertImportHeld.bind(db, { assetId, leaseId, nowMs }),
      ...writes(asset, nowMs),
      deleteImport.bind(db, asset),
    ]);
    return true;
  } catch (thrown) {
    if (isGuardViolation(thrown, "import_held")) return false;
    throw thrown;
  }
}
