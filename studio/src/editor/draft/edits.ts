import type { Placement, Placements } from "creative-packs-service/renderer";
import type { SharedSize } from "creative-packs-service/shared-sizes";
import type { Size } from "creative-packs-service/size-types";
import { PICTURE_SLOT_IDS, type PictureSlotId, type SlotId } from "creative-packs-service/slots";
import {
  type Draft,
  type DraftFile,
  type DraftOverride,
  emptyOverride,
  type Files,
  isEmptyOverride,
  type TextField,
} from "./draft.ts";

/** Changes of a draft. Each returns a changed copy of the draft. */

export const setText = (draft: Draft, field: TextField, text: string): Draft => ({
  ...draft,
  texts: { ...draft.texts, [field]: text },
});

/** Returns a copy without one member. */
function without<Value>(record: Readonly<Record<string, Value>>, name: string): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).filter(([other]) => other !== name));
}

export const isPictureSlot = (slot: SlotId): slot is PictureSlotId =>
  PICTURE_SLOT_IDS.some((one) => one === slot);

/** Removes the placements of removed pictures, also from the overrides of single sizes. */
function dropPlacements(draft: Draft, isGone: (slot: PictureSlotId) => boolean): Draft {
  const kept = (placements: Placements): Placements =>
    Object.fromEntries(
      PICTURE_SLOT_IDS.flatMap((slot) => {
        const placement = placements[slot];
        return placement === undefined || isGone(slot) ? [] : [[slot, placement] as const];
      }),
    );
  const overrides = Object.fromEntries(
    Object.entries(draft.overrides)
      .map(([sizeId, one]) => [sizeId, { ...one, placements: kept(one.placements) }] as const)
      .filter(([, one]) => !isEmptyOverride(one)),
  );
  return { ...draft, placements: kept(draft.placements), overrides };
}

/** Replaces the files; placements of pictures no longer in their slot are removed. */
export function setFiles(draft: Draft, files: Files): Draft {
  const changed = dropPlacements(draft, (slot) => files[slot]?.sha256 !== draft.files[slot]?.sha256);
  return { ...changed, files };
}

export function setFile(draft: Draft, slot: SlotId, file: DraftFile | null): Draft {
  const { [slot]: _, ...others } = draft.files;
  return setFiles(draft, file === null ? others : { ...others, [slot]: file });
}

/** Moves a file into another slot. A file that was in that slot moves into the slot of the moved file. */
export function moveFile(draft: Draft, from: SlotId, to: SlotId): Draft {
  const { [from]: moved, [to]: met, ...others } = draft.files;
  if (moved === undefined || from === to) return draft;
  return setFiles(draft, { ...others, [to]: moved, ...(met === undefined ? {} : { [from]: met }) });
}

/** Sets or, with null, removes a placement. */
export function setPlacement(draft: Draft, slot: PictureSlotId, placement: Placement | null): Draft {
  return { ...draft, placements: placed(draft.placements, slot, placement) };
}

const placed = (placements: Placements, slot: PictureSlotId, placement: Placement | null): Placements => {
  const { [slot]: _, ...others } = placements;
  return placement === null ? others : { ...others, [slot]: placement };
};

export const overrideOf = (draft: Draft, sizeId: string): DraftOverride =>
  draft.overrides[sizeId] ?? emptyOverride;

function setOverride(draft: Draft, sizeId: string, override: DraftOverride): Draft {
  const others = without(draft.overrides, sizeId);
  return { ...draft, overrides: isEmptyOverride(override) ? others : { ...others, [sizeId]: override } };
}

/** Sets a text of one size; null restores the pack's text. */
export function setOwnText(draft: Draft, sizeId: string, field: TextField, text: string | null): Draft {
  const own = overrideOf(draft, sizeId);
  const { [field]: _, ...others } = own.texts;
  return setOverride(draft, sizeId, { ...own, texts: text === null ? others : { ...others, [field]: text } });
}

/** Sets the variant, composition or scale of one size. */
export const setOwnDesign = (
  draft: Draft,
  sizeId: string,
  own: Partial<Pick<DraftOverride, "variant" | "composition" | "scale">>,
): Draft => setOverride(draft, sizeId, { ...overrideOf(draft, sizeId), ...own });

export function setOwnPlacement(
  draft: Draft,
  sizeId: string,
  slot: PictureSlotId,
  placement: Placement | null,
): Draft {
  const own = overrideOf(draft, sizeId);
  return setOverride(draft, sizeId, { ...own, placements: placed(own.placements, slot, placement) });
}

/** Removes all overrides of a size. */
export const clearOverride = (draft: Draft, sizeId: string): Draft => ({
  ...draft,
  overrides: without(draft.overrides, sizeId),
});

/**
 * The networks that accept the ordered files of an image that several sizes share. These are all networks of the image
 * if `size`, which has the strictest rules, is chosen; otherwise only those of the chosen sizes.
 */
export const networksServedBy = (
  { size, members }: SharedSize,
  sizeIds: readonly string[],
): readonly string[] =>
  members
    .filter(({ sizeId }) => sizeIds.includes(size.sizeId) || sizeIds.includes(sizeId))
    .map(({ group }) => group);

/**
 * Chooses or deselects images; sizes stay in the contract's order. Choosing an image chooses its `size` and deselects
 * its other sizes. If `size` has no overrides, it gets those of a deselected size.
 */
export function chooseSizes(
  draft: Draft,
  order: readonly Size[],
  images: readonly SharedSize[],
  isChosen: boolean,
): Draft {
  const chosen = new Set(draft.sizeIds);
  const overrides = { ...draft.overrides };
  for (const { size, members } of images) {
    for (const { sizeId } of members) {
      const own = chosen.delete(sizeId) ? overrides[sizeId] : undefined;
      if (isChosen && own !== undefined) overrides[size.sizeId] ??= own;
    }
    if (isChosen) chosen.add(size.sizeId);
  }
  const sizeIds = order.map(({ sizeId }) => sizeId).filter((sizeId) => chosen.has(sizeId));
  return { ...draft, overrides, sizeIds };
}
