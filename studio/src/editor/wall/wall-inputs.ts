import type { PreviewProtection } from "creative-packs-service/preview-quota";
import type { SlotId } from "creative-packs-service/slots";
import { markSeedOf } from "creative-packs-service/watermark-seed";
import type { SizeOverride, WallAsset, WallInputs } from "#drawing/types.ts";
import { type Draft, filesOf } from "../draft/draft.ts";
import { normalText } from "../order/pack-request.ts";

/** What the wall draws of a draft: the same as is ordered, with bytes in place of assets, whatever is chosen of sizes. */
export function wallInputsOf(
  draft: Draft,
  bytes: Readonly<Partial<Record<SlotId, Blob>>>,
  protection: PreviewProtection,
  workspaceId: string,
): Omit<WallInputs, "sizes"> {
  const assets: Partial<Record<SlotId, WallAsset>> = {};
  for (const [slot, { sha256, mimeType }] of filesOf(draft.files)) {
    const file = bytes[slot];
    if (file !== undefined) assets[slot] = { id: sha256, mimeType, file };
  }
  return {
    assets,
    copy: { ...normalTexts(draft.texts), language: draft.language === "" ? undefined : draft.language },
    brand: draft.brand,
    look: draft.look,
    variant: draft.variant,
    placements: draft.placements,
    overrides: Object.fromEntries(
      Object.entries(draft.overrides).map(([sizeId, { texts, placements, variant }]) => [
        sizeId,
        {
          copy: normalTexts(texts),
          placements,
          variant: variant ?? undefined,
        } satisfies SizeOverride,
      ]),
    ),
    motion: draft.motion,
    outputFormat: draft.outputFormat,
    protection,
    markSeed: markSeedOf(workspaceId, protection),
  };
}

const normalTexts = (texts: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).map(([field, text]) => [field, normalText(text)]));
