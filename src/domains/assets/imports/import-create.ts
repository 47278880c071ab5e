import { accept, type Outcome, type Refusal, refuse } from "#api/errors.ts";
import { LIMITS } from "#api/limits.ts";
import type { ImportAssetBody } from "#api/schemas/asset.ts";
import { SLOTS, type SlotId } from "#api/slots.ts";
import type { IdempotencyClaim } from "#domains/idempotency/claim.ts";
import { rememberStatements } from "#domains/idempotency/store.ts";
import { type EncryptionKeys, seal } from "#platform/crypto/sealed-secret.ts";
import { isGuardViolation } from "#platform/db/batch-guard.ts";
import type { Reader } from "#platform/db/reader.ts";
import type { Preparer } from "#platform/db/statement.ts";
import { newId } from "#platform/ids.ts";
import { type AddressRules, checkAddress } from "#platform/outbound/ssrf-guard.ts";
import { type Asset, objectPrefixOf } from "../asset.ts";
import { assetLimitReached } from "../asset-limit.ts";
import { findSlot, validateFileName } from "../intent-rules.ts";
import { assertAssetLimit, assetById, insertAsset } from "../store.ts";
import { insertImport } from "./import-store.ts";

export interface ImportDeps {
  readonly db: D1Database;
  readonly encryption: EncryptionKeys;
  readonly addressRules: AddressRules;
}

/** A valid import, whose asset does not exist yet. */
export interface PlannedImport {
  readonly assetId: string;
  readonly slotId: SlotId;
  readonly fileName: string;
  readonly url: URL;
}

/** Validates an import: 400 UPLOAD_INTENT_INVALID, which names the field, then 422 ADDRESS_REFUSED. */
export function planImport(body: ImportAssetBody, rules: AddressRules): Outcome<PlannedImport> {
  const slotId = findSlot(body.slotId);
  if (!slotId.ok) return slotId;
  // Not taken from the URL, whose path may contain a token.
  const fileName = validateFileName(body.fileName ?? slotId.value);
  if (!fileName.ok) return fileName;
  const url = checkAddress(body.url, rules);
  if (!url.ok) return refuseAddress(url);
  return accept({ assetId: newId(), slotId: slotId.value, fileName: fileName.value, url: url.value });
}

const refuseAddress = ({ message }: Refusal): Refusal =>
  refuse("ADDRESS_REFUSED", message, {
    field: "url",
    nextAction: "Name the public `https` address of the file, or download the file and upload it.",
  });

/**
 * Statements that insert a `processing` asset and its import. The batch fails with `asset_limit` when the workspace is
 * at its limit.
 */
export async function importStatements(
  db: Preparer,
  encryption: EncryptionKeys,
  { workspaceId, nowMs }: Pick<IdempotencyClaim, "workspaceId" | "nowMs">,
  workspaceKind: "standard" | "trial",
  { assetId, slotId, fileName, url }: PlannedImport,
): Promise<readonly D1PreparedStatement[]> {
  const asset = { workspaceId, assetId };
  const byteLength = LIMITS.uploadBytesMax;
  const [mimeType] = SLOTS[slotId].accepts;
  if (mimeType === undefined) throw new Error("a slot takes no type");
  const sealed = await seal(encryption, asset, url.href);
  return [
    assertAssetLimit.bind(db, { workspaceId, workspaceKind, byteLength }),
    insertAsset.bind(db, {
      ...asset,
      ...{ slotId, fileName, mimeType, byteLength, width: null, height: null, nowMs },
      objectKey: objectPrefixOf(workspaceId, assetId),
      importedFrom: url.host,
    }),
    insertImport.bind(db, { ...asset, sealed, nowMs, expiresAt: nowMs + LIMITS.importLifetimeMs }),
  ];
}

/**
 * Creates an asset that is `processing` until the queue has fetched its file. Until then it counts as a file of the
 * maximum size. The caller sends the message after the commit (`enqueueImports`), or else the sweep does. 400
 * UPLOAD_INTENT_INVALID, 422 ADDRESS_REFUSED, 409 ASSET_LIMIT_REACHED. Throws when another request used the
 * Idempotency-Key first, or the API key was revoked (guard `key_active`). The caller's response must carry the bookmark
 * of the session `db`.
 */
export async function createImport(
  db: Reader,
  { encryption, addressRules }: Omit<ImportDeps, "db">,
  claim: IdempotencyClaim,
  workspaceKind: "standard" | "trial",
  body: ImportAssetBody,
): Promise<Outcome<Asset>> {
  const planned = planImport(body, addressRules);
  if (!planned.ok) return planned;
  const { assetId } = planned.value;
  const statements = await importStatements(db, encryption, claim, workspaceKind, planned.value);
  try {
    const results = await db.batch([
      ...statements,
      ...rememberStatements(db, claim, assetId, LIMITS.idempotencyRetentionMs),
      assetById.bind(db, { workspaceId: claim.workspaceId, assetId }),
    ]);
    const written = assetById.row(results.at(-1));
    if (written === null) throw new Error("a committed import was not written");
    return accept(written);
  } catch (thrown) {
    if (isGuardViolation(thrown, "asset_limit")) return assetLimitReached(workspaceKind);
    throw thrown;
  }
}
