import { accept, type Outcome, type Refusal, refuse } from "#api/errors.ts";
import { LIMITS } from "#api/limits.ts";
import type { CreateBrandBody, UpdateBrandBody } from "#api/schemas/brand.ts";
import { idsOf, validateReadyInputs } from "#domains/assets/ready-inputs.ts";
import { assetsByIds } from "#domains/assets/store.ts";
import { brandNotFound, changesOf } from "#domains/brands/brand.ts";
import {
  assertBrandWritable,
  type Brand,
  brandById,
  changeBrand,
  insertBrand,
} from "#domains/brands/brand-store.ts";
import type { IdempotencyClaim } from "#domains/idempotency/claim.ts";
import { rememberStatements } from "#domains/idempotency/store.ts";
import { isGuardViolation } from "#platform/db/batch-guard.ts";
import type { Reader } from "#platform/db/reader.ts";
import { newId } from "#platform/ids.ts";

/** Creates and changes brands. Their logos and fonts must be ready assets of the workspace. */

type Named = UpdateBrandBody["assetIds"];

/**
 * Checks the assets of a brand. 422 ASSET_UNKNOWN, SLOT_UNSUPPORTED, or SLOT_COMBINATION_UNSUPPORTED if all fonts
 * together are too large for an isolate; 409 ASSET_NOT_READY. Null if valid.
 */
async function findAssetRefusal(db: Reader, workspaceId: string, named: Named): Promise<Refusal | null> {
  const ids = idsOf(named ?? {});
  if (ids.length === 0) return null;
  const assets = await assetsByIds.all(db, { workspaceId, assetIds: JSON.stringify(ids) });
  const inputs = validateReadyInputs(named ?? {}, assets);
  if (!inputs.ok) return inputs;
  const fonts = assets.filter(({ slotId }) => slotId === "font");
  const fontBytes = fonts.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const message = `The fonts have ${fontBytes} bytes together, and may have ${LIMITS.uploadBytesMax}.`;
  return fontBytes <= LIMITS.uploadBytesMax ? null : refuse("SLOT_COMBINATION_UNSUPPORTED", message);
}

/** Checks the assets, then writes. The whole batch fails if an asset was deleted in between. */
async function writeBrand(
  db: Reader,
  workspaceId: string,
  named: Named,
  below: number,
  statements: readonly D1PreparedStatement[],
): Promise<Outcome<D1Result | undefined>> {
  const refusal = await findAssetRefusal(db, workspaceId, named);
  if (refusal !== null) return refusal;
  const assetIds = JSON.stringify([...new Set(idsOf(named ?? {}))]);
  try {
    const writable = assertBrandWritable.bind(db, { workspaceId, assetIds, below });
    const results = await db.batch([writable, ...statements]);
    return accept(results.at(-1));
  } catch (thrown) {
    if (!isGuardViolation(thrown, "brand_writable")) throw thrown;
    const limit = `A workspace has at most ${LIMITS.brandsPerWorkspaceMax} brands.`;
    return (await findAssetRefusal(db, workspaceId, named)) ?? refuse("BRAND_LIMIT_REACHED", limit);
  }
}

/**
 * Creates a brand, and records it under the claim's Idempotency-Key in the same batch. Returns the refusals of
 * `findAssetRefusal`, and 409 BRAND_LIMIT_REACHED. Throws if a concurrent request used the key first.
 */
export async function createBrand(
  db: Reader,
  claim: IdempotencyClaim,
  { name, ...body }: CreateBrandBody,
): Promise<Outcome<Brand>> {
  const { workspaceId, nowMs } = claim;
  const brandId = newId();
  const changes = JSON.stringify(changesOf(body));
  const written = await writeBrand(db, workspaceId, body.assetIds, LIMITS.brandsPerWorkspaceMax, [
    ...rememberStatements(db, claim, brandId, LIMITS.idempotencyRetentionMs),
    insertBrand.bind(db, { workspaceId, brandId, name, changes, nowMs }),
    brandById.bind(db, { workspaceId, brandId }),
  ]);
  if (!written.ok) return written;
  const brand = brandById.row(written.value);
  if (brand === null) throw new Error("a committed brand was not written");
  return accept(brand);
}

/** A JSON path that matches nothing, so that nothing is removed. */
const NOTHING = "$.-";

/** Updates the brand's fields that are in the body. 404 BRAND_NOT_FOUND, and the refusals of `findAssetRefusal`. */
export async function updateBrand(
  db: Reader,
  id: { readonly workspaceId: string; readonly brandId: string },
  { name, ...body }: UpdateBrandBody,
  nowMs: number,
): Promise<Outcome<Brand>> {
  if ((await brandById.first(db, id)) === null) return brandNotFound();
  const change = changeBrand.bind(db, {
    ...id,
    name: name ?? null,
    changes: JSON.stringify(changesOf(body)),
    replacedColors: body.colors === undefined ? NOTHING : "$.colors",
    replacedAssets: body.assetIds === undefined ? NOTHING : "$.assetIds",
    nowMs,
  });
  const written = await writeBrand(db, id.workspaceId, body.assetIds, Number.MAX_SAFE_INTEGER, [change]);
  if (!written.ok) return written;
  const brand = changeBrand.row(written.value);
  return brand === null ? brandNotFound() : accept(brand);
}
