import type { Family, VisualSlot } from "../types.ts";

/**
 * The family of a pack, by its filled slots; null when no visual slot is filled. `background` and `logo` are checked
 * last, because they may be filled beside another hero.
 */
export function familyOf(slots: Iterable<string>): Family | null {
  const filled = new Set(slots);
  const has = (slot: VisualSlot) => filled.has(slot);
  if (has("media")) return has("secondaryMedia") ? "duo" : "campaign";
  if (has("product")) return "product";
  if (has("person")) return "person";
  if (has("device")) return "device";
  if (has("background")) return "scenery";
  if (has("logo")) return "brand";
  return null;
}

/** The slot of each family's hero. */
export const HERO_SLOT: Readonly<Record<Family, VisualSlot | null>> = {
  campaign: "media",
  duo: "media",
  product: "product",
  person: "person",
  device: "device",
  scenery: "background",
  brand: null,
};
