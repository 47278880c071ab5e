import { z } from "zod";
import { accept, type Outcome, type Refusal, refuse } from "#api/errors.ts";
import { LIMITS } from "#api/limits.ts";
import type { CreateJobBody } from "#api/schemas/job.ts";
import { type Asset, isImporting } from "#domains/assets/asset.ts";
import { assetLimitReached } from "#domains/assets/asset-limit.ts";
import {
  type ImportDeps,
  importStatements,
  type PlannedImport,
  planImport,
} from "#domains/assets/imports/import-create.ts";
import { mayImportAgain } from "#domains/assets/imports/import-failure.ts";
import { assetsByIds } from "#domains/assets/store.ts";
import type { IdempotencyClaim } from "#domains/idempotency/claim.ts";
import {
  changeBegun,
  findRecord,
  type IdempotencyRecord,
  rememberStatements,
} from "#domains/idempotency/store.ts";
import { keyConflict } from "#domains/idempotency/with-idempotency.ts";
import { keyRevoked } from "#domains/keys/service.ts";
import { clock } from "#platform/clock.ts";
import { isGuardViolation } from "#platform/db/batch-guard.ts";
import { latest } from "#platform/db/reader.ts";
import { noteWritten } from "#platform/log/origin-of-work.ts";

/**
 * Files that an order names by URL. They are imported like any other file, before the order is accepted. Until then
 * the row of the order's Idempotency-Key names their assets, so that a repeated request continues with them.
 */

export interface OrderImports extends Omit<ImportDeps, "db"> {
  /** Enqueues the messages that fetch files, in the background. */
  readonly enqueueImports: () => void;
}

/** An order that has begun but is not accepted yet: the assets of its URLs, by slot. */
export interface BegunOrder extends IdempotencyRecord {
  readonly assetIds: Readonly<Record<string, string>>;
}

/** Value of the row's `operation` while there is no job. */
const OPERATION = "imports of POST /api/v1/jobs";

const assetIdsSchema = z.record(z.string(), z.string());

/** The begun order in a row; null if there is no row, or if it names a created job. */
export function begunOrder(record: IdempotencyRecord | null): BegunOrder | null {
  if (record?.resourceId.startsWith("{") !== true) return null;
  return { ...record, assetIds: assetIdsSchema.parse(JSON.parse(record.resourceId)) };
}

const readAssets = (
  db: D1Database,
  workspaceId: string,
  assetIds: BegunOrder["assetIds"],
): Promise<readonly Asset[]> =>
  assetsByIds.all(latest(db), { workspaceId, assetIds: JSON.stringify(Object.values(assetIds)) });

/**
 * Assets of a begun order that an identical order reuses; deleted assets are imported again. A different order with the
 * same Idempotency-Key gets 409 IDEMPOTENCY_CONFLICT while an import is running. Afterwards it may use the key, because
 * the begun order was refused.
 */
export async function reusableAssets(
  db: D1Database,
  { workspaceId, requestHash }: IdempotencyClaim,
  begun: BegunOrder | null,
): Promise<Outcome<BegunOrder["assetIds"]>> {
  if (begun === null) return accept({});
  const assets = await readAssets(db, workspaceId, begun.assetIds);
  if (begun.requestHash !== requestHash) return assets.some(isImporting) ? keyConflict() : accept({});
  const kept = new Set(assets.map(({ assetId }) => assetId));
  return accept(Object.fromEntries(Object.entries(begun.assetIds).filter(([, id]) => kept.has(id))));
}

/**
 * Plans the imports of an order's URLs, except for slots in `kept`. Returns the refusals of `planImport`, with the name
 * of the invalid field.
 */
export function planImports(
  assets: NonNullable<CreateJobBody["assets"]>,
  kept: BegunOrder["assetIds"],
  { addressRules }: OrderImports,
): Outcome<readonly PlannedImport[]> {
  const planned: PlannedImport[] = [];
  for (const [slotId, asset] of Object.entries(assets)) {
    if (asset === undefined || kept[slotId] !== undefined) continue;
    const one = planImport({ slotId, url: asset.url }, addressRules);
    if (!one.ok) {
      return { ...one, details: { ...one.details, field: `assets.${slotId}.url`, slots: [slotId] } };
    }
    planned.push(one.value);
  }
  return accept(planned);
}

/**
 * Creates the assets of planned imports, and the row that names them, in one batch. If an identical concurrent order
 * was faster, returns its assets. 401 for a revoked key, 409 ASSET_LIMIT_REACHED. Rethrows other errors.
 */
export async function beginImports(
  { db, kind }: { readonly db: D1Database; readonly kind: "standard" | "trial" },
  { encryption }: OrderImports,
  claim: IdempotencyClaim,
  kept: BegunOrder["assetIds"],
  planned: readonly PlannedImport[],
): Promise<Outcome<BegunOrder>> {
  const ofSlots = Object.fromEntries(planned.map(({ slotId, assetId }) => [slotId, assetId]));
  const assetIds = { ...kept, ...ofSlots };
  const resourceId = JSON.stringify(assetIds);
  const writes = latest(db);
  const statements = planned.map((one) => importStatements(writes, encryption, claim, kind, one));
  const remembered = { ...claim, operation: OPERATION };
  try {
    await writes.batch([
      ...(await Promise.all(statements)).flat(),
      ...rememberStatements(writes, remembered, resourceId, LIMITS.idempotencyRetentionMs),
    ]);
    for (const { assetId } of planned) noteWritten(assetId);
    return accept({ resourceId, requestHash: claim.requestHash, assetIds });
  } catch (thrown) {
    if (isGuardViolation(thrown, "key_active")) return keyRevoked();
    // An identical order may have been faster, or the batch was committed but its response was lost.
    const record = await findRecord(db, claim);
    const begun = begunOrder(record);
    if (begun?.requestHash === claim.requestHash && begun.resourceId !== claim.begunAs) return accept(begun);
    if (isGuardViolation(thrown, "asset_limit")) return assetLimitReached(kind);
    throw thrown;
  }
}

/**
 * Delays between reads of the imports: short at first, because most are ready within a second. `orderImportsWaitMsMax`
 * in total.
 */
const WAITS_MS: readonly number[] = [
  ...[100, 200, 300, 400, 500, 500],
  ...Array.from({ length: 8 }, () => 1_000),
];

/**
 * Waits until all imports of a begun order have ended, one has failed, or `deadlineMs` passes. Null if all succeeded;
 * otherwise 422 ASSET_IMPORT_FAILED or 409 ASSET_IMPORT_IN_PROGRESS. An asset that failed for a temporary reason is
 * removed from the begun order, so that an identical request imports its URL again.
 */
export async function awaitImports(
  db: D1Database,
  { enqueueImports }: OrderImports,
  claim: IdempotencyClaim,
  { resourceId: begunAs, assetIds }: BegunOrder,
  deadlineMs: number,
): Promise<Refusal | null> {
  const read = () => readAssets(db, claim.workspaceId, assetIds);
  let assets = await read();
  const isOver = () => !assets.some(isImporting) || assets.some(({ status }) => status === "rejected");
  // Also sends messages that an earlier request failed to send.
  if (!isOver()) enqueueImports();
  for (const waitMs of WAITS_MS) {
    if (isOver() || clock.now() + waitMs > deadlineMs) break;
    await clock.wait(waitMs);
    assets = await read();
  }
  const failed = assets.find(({ rejection }) => rejection !== null);
  if (failed !== undefined && failed.rejection !== null) {
    const { slotId, rejection } = failed;
    const isPassing = mayImportAgain(rejection);
    if (isPassing) {
      const { [slotId]: _, ...others } = assetIds;
      await changeBegun.run(latest(db), { ...claim, begunAs, resourceId: JSON.stringify(others) });
    }
    return refuse(
      "ASSET_IMPORT_FAILED",
      `The file for \`${slotId}\` was not imported. ${rejection.message}`,
      {
        slots: [slotId],
        rejection,
        safeToRetryUnchanged: isPassing,
      },
    );
  }
  const slots = assets.filter(isImporting).map(({ slotId }) => slotId);
  return slots.length === 0
    ? null
    : refuse("ASSET_IMPORT_IN_PROGRESS", `Still being imported: \`${slots.join("`, `")}\`.`, { slots });
}
