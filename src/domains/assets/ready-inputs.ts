import { accept, type Outcome, refuse } from "#api/errors.ts";
import {
  BRAND_ASSET_NAMES,
  BRAND_ASSET_SLOTS,
  type BrandAssetName,
  SLOT_IDS,
  type SlotId,
} from "#api/slots.ts";
import { type Asset, isImporting } from "./asset.ts";

const WAIT_FOR_IMPORT =
  "Read the asset until its import has ended, then send the request again: GET /api/v1/assets/{assetId}.";

/** An asset as rendering needs it, fixed when the job is created. */
export interface RenderInput extends Pick<Asset, "assetId" | "objectKey" | "mimeType" | "width" | "height"> {
  /** Hash of the bytes under `objectKey`, which never change. */
  readonly sha256: string;
}
type InputName = SlotId | BrandAssetName;
const INPUT_NAMES: readonly InputName[] = [...SLOT_IDS, ...BRAND_ASSET_NAMES];
/** The slots for which assets are uploaded. */
const UPLOAD_SLOTS: Readonly<Partial<Record<InputName, SlotId>>> = BRAND_ASSET_SLOTS;

export type RenderInputs = Partial<Record<InputName, RenderInput>>;

/** The assets that a request or brand names, by input. */
export type NamedAssets = Partial<Record<InputName, string | undefined>>;

export const idsOf = (assetIds: NamedAssets): readonly string[] =>
  INPUT_NAMES.flatMap((name) => assetIds[name] ?? []);

/**
 * The named assets out of `found`, if all are ready and were uploaded for the right slot. 422 ASSET_UNKNOWN (missing,
 * deleted or another workspace's), 422 SLOT_UNSUPPORTED, then 409 ASSET_NOT_READY.
 */
export function validateReadyInputs(assetIds: NamedAssets, found: readonly Asset[]): Outcome<RenderInputs> {
  const named = INPUT_NAMES.flatMap((slotId) => {
    const assetId = assetIds[slotId];
    return assetId === undefined ? [] : [{ slotId, assetId }];
  });
  const byId = new Map(found.map((asset) => [asset.assetId, asset]));

  const unknown = named.filter(({ assetId }) => !byId.has(assetId));
  if (unknown.length > 0) {
    const slots = unknown.map(({ slotId }) => slotId);
    return refuse(
      "ASSET_UNKNOWN",
      `No asset of this workspace has the id named for \`${slots.join("`, `")}\`.`,
      { slots },
    );
  }
  const misplaced = named.filter(
    ({ slotId, assetId }) => byId.get(assetId)?.slotId !== (UPLOAD_SLOTS[slotId] ?? slotId),
  );
  if (misplaced.length > 0) {
    const reasons = misplaced.map(
      ({ slotId, assetId }) =>
        `the asset named for \`${slotId}\` was uploaded for \`${byId.get(assetId)?.slotId}\``,
    );
    return refuse("SLOT_UNSUPPORTED", `An asset fills only its own slot: ${reasons.join("; ")}.`, {
      slots: misplaced.map(({ slotId }) => slotId),
    });
  }
  const inputs: RenderInputs = {};
  for (const { slotId, assetId } of named) {
    const asset = byId.get(assetId);
    if (asset?.status !== "ready" || asset.sha256 === null) {
      const status = asset?.status ?? "missing";
      return refuse(
        "ASSET_NOT_READY",
        `The asset named for \`${slotId}\` is ${status}.`,
        status === "rejected"
          ? {
              slots: [slotId],
              nextAction: "Upload a corrected file and use its asset id.",
              safeToRetryUnchanged: false,
            }
          : {
              slots: [slotId],
              ...(asset !== undefined && isImporting(asset) && { nextAction: WAIT_FOR_IMPORT }),
            },
      );
    }
    inputs[slotId] = {
      assetId,
      objectKey: asset.objectKey,
      mimeType: asset.mimeType,
      sha256: asset.sha256,
      width: asset.width,
      height: asset.height,
    };
  }
  return accept(inputs);
}
