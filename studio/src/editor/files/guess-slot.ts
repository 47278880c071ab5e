import { SLOTS, type SlotId } from "creative-packs-service/slots";
import type { PictureFacts } from "#engine/types.ts";
import type { DraftFile, Files } from "../draft/draft.ts";

/** Guesses the slot that a file is meant for; users can change it. */

/** Slots for the main subject, of which a pack uses one. */
const SUBJECT_SLOTS = ["media", "product", "person", "device"] as const satisfies readonly SlotId[];

type Guessed = Pick<DraftFile, "name" | "mimeType" | "width" | "height" | "isCutOut">;

/**
 * Minimum ratio of width to height at which a cut-out is guessed to be a logo. Cut-outs too small for a product are
 * logos, too.
 */
const LOGO_ASPECT_MIN = 1.6;

const NAMES: readonly (readonly [RegExp, SlotId])[] = [
  [/logo|wordmark|signet/i, "logo"],
  [/background|hintergrund|backdrop/i, "background"],
  [/phone|device|laptop|tablet|screen|handy/i, "device"],
  [/person|people|model|figure|portrait|mensch/i, "person"],
  [/product|produkt|packshot|bottle|flasche/i, "product"],
];

/** Whether a slot accepts files of this type and size. */
export function takes(slot: SlotId, { mimeType, width, height }: Guessed): boolean {
  const { accepts, shortEdgeMinPx } = SLOTS[slot];
  if (!accepts.includes(mimeType)) return false;
  if (shortEdgeMinPx === null || mimeType === "image/svg+xml" || width === null || height === null)
    return true;
  return Math.min(width, height) >= shortEdgeMinPx;
}

/** The slot that fits a file best, given the slots that are filled already. */
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

/** Minimum ratio of width to height at which a cut-out is a word mark. */
const WORDMARK_ASPECT_MIN = 1.8;
/** Minimum ratio of width to height at which a picture on an opaque background can be a word mark. */
const BANNER_ASPECT_MIN = 2.6;
/** A drawn logo has at most this many colours, which cover at least this fraction of it. */
const FLAT_COLOURS_MAX = 2;
const FLAT_SHARE_MIN = 0.94;
/** A drawn logo is rarely larger than this, while photographic cut-outs are. */
const MARK_EDGE_PX_MAX = 900;

/** Slot of a cut-out by what the engine detected: drawn or wide pictures are logos, pictures with faces are people. */
export function slotOfCutOut({ isCutOut, faces, colours, width, height }: PictureFacts): SlotId {
  const aspect = width / Math.max(1, height);
  const shares = colours.slice(0, FLAT_COLOURS_MAX).map(({ share }) => share);
  const isFlat = shares.reduce((sum, share) => sum + share, 0) >= FLAT_SHARE_MIN;
  if (!isCutOut) return aspect >= BANNER_ASPECT_MIN && isFlat ? "logo" : "media";
  if (faces.length > 0) return "person";
  const isMark = aspect >= WORDMARK_ASPECT_MIN || (isFlat && Math.max(width, height) <= MARK_EDGE_PX_MAX);
  return isMark ? "logo" : "product";
}

/**
 * Adds a file. If it is a cut-out and a photo is the only subject, the photo becomes the background. A file already in
 * the slot is replaced.
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

/** Two slots that exclude each other, or of which one requires the other. */
export interface SlotConflict {
  readonly kind: "excludes" | "requires";
  readonly slot: SlotId;
  readonly other: SlotId;
}

/** Conflicts of these slots; each pair once. */
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
