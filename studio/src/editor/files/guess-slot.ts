import { SLOTS, type SlotId } from "creative-packs-service/slots";
import type { DraftFile, Files } from "../draft/draft.ts";

/** Which slot a file seems meant for. People can change it; the guess is to be right most of the time. */

/** The slots of which one pack shows but one: what it is about. */
const SUBJECT_SLOTS = ["media", "product", "person", "device"] as const satisfies readonly SlotId[];

type Guessed = Pick<DraftFile, "name" | "mimeType" | "width" | "height" | "isCutOut">;

/** A logo is wide, or a mark too small for a photo. */
const LOGO_ASPECT_MIN = 1.6;

const NAMES: readonly (readonly [RegExp, SlotId])[] = [
  [/logo|wordmark|signet/i, "logo"],
  [/background|hintergrund|backdrop/i, "background"],
  [/phone|device|laptop|tablet|screen|handy/i, "device"],
  [/person|people|model|figure|portrait|mensch/i, "person"],
  [/product|produkt|packshot|bottle|flasche/i, "product"],
];

/** Whether a slot takes files of this type and size at all. */
export function takes(slot: SlotId, { mimeType, width, height }: Guessed): boolean {
  const { accepts, shortEdgeMinPx } = SLOTS[slot];
  if (!accepts.includes(mimeType)) return false;
  if (shortEdgeMinPx === null || mimeType === "image/svg+xml" || width === null || height === null)
    return true;
  return Math.min(width, height) >= shortEdgeMinPx;
}

/** The slot that a file seems meant for beside those that are filled. */
export function guessSlot(file: Guessed, files: Files): SlotId {
  if (file.mimeType.startsWith("font/")) return "font";
  if (file.mimeType === "image/svg+xml") return "logo";
  const named = NAMES.find(([pattern]) => pattern.test(file.name))?.[1];
  if (
    named !== undefined &&
    takes(named, file) &&
    (named === "logo" || named === "background" || file.isCutOut)
  )
    return named;
  const aspect = (file.width ?? 1) / (file.height ?? 1);
  if (file.isCutOut) return aspect >= LOGO_ASPECT_MIN || !takes("product", file) ? "logo" : "product";
  if (!takes("media", file)) return "logo";
  const subject = SUBJECT_SLOTS.find((slot) => files[slot] !== undefined);
  if (subject === undefined) return "media";
  if (subject !== "media") return "background";
  return files.secondaryMedia === undefined ? "secondaryMedia" : "media";
}

/**
 * The files after one more. A cut-out is what the pack is about: a photo that was, and is alone, becomes the background
 * that it stands on. What was in the slot is replaced.
 */
export function addFile(files: Files, slot: SlotId, file: DraftFile): Files {
  const isCutOutSlot = slot === "product" || slot === "person" || slot === "device";
  const { media, ...others } = files;
  const makesRoom =
    isCutOutSlot &&
    media !== undefined &&
    files.background === undefined &&
    files.secondaryMedia === undefined;
  if (makesRoom && takes("background", media)) return { ...others, background: media, [slot]: file };
  return { ...files, [slot]: file };
}

/** Two slots that one pack cannot fill together, or one that needs another. */
export interface SlotConflict {
  readonly kind: "excludes" | "requires";
  readonly slot: SlotId;
  readonly other: SlotId;
}

/** What keeps these slots from being one pack; each pair once. */
export function conflictsOf(filled: readonly SlotId[]): SlotConflict[] {
  const found: SlotConflict[] = [];
  for (const [index, slot] of filled.entries()) {
    for (const other of filled.slice(index + 1)) {
      if (SLOTS[slot].excludes.includes(other) || SLOTS[other].excludes.includes(slot))
        found.push({ kind: "excludes", slot, other });
    }
    for (const other of SLOTS[slot].requires) {
      if (!filled.includes(other)) found.push({ kind: "requires", slot, other });
    }
  }
  return found;
}
