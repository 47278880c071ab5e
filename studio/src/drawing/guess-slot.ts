import type { SlotId } from "creative-packs-service/slots";
import type { PictureFacts } from "./types.ts";

/** A cut-out at least this many times as wide as high is a word mark. */
const WORDMARK_ASPECT_MIN = 1.8;
/** A picture that is wide like this is one even on a background of its own. */
const BANNER_ASPECT_MIN = 2.6;
/** Its colours, when this few make up nearly all of it, are those of a drawn mark. */
const FLAT_COLOURS_MAX = 2;
const FLAT_SHARE_MIN = 0.94;
/** A mark of few colours is rarely larger: cut-outs of photographs are. */
const MARK_EDGE_PX_MAX = 900;

/** The heroes that stand alone: one of them, or `media` with a second picture. */
const HEROES: readonly SlotId[] = ["product", "person", "device"];

/**
 * The slot that a picture seems meant for: vectors and drawn or wide marks are logos, cut-outs are a person where the engine
 * found a face and else a product, photographs are the main picture, then the second one, then the background of a
 * hero that stands alone. A slot that is filled already is named where the file can only replace what is in it.
 */
export function guessSlot(facts: PictureFacts, filled: readonly SlotId[]): SlotId {
  if (facts.isVector) return "logo";
  if (facts.isCutOut) return isMark(facts) ? "logo" : facts.faces.length > 0 ? "person" : "product";
  if (aspectOf(facts) >= BANNER_ASPECT_MIN && isFlat(facts)) return "logo";
  if (filled.some((slot) => HEROES.includes(slot))) return "background";
  if (!filled.includes("media")) return "media";
  return filled.includes("secondaryMedia") ? "media" : "secondaryMedia";
}

const aspectOf = ({ width, height }: PictureFacts): number => width / Math.max(1, height);

function isMark(facts: PictureFacts): boolean {
  if (facts.faces.length > 0) return false;
  if (aspectOf(facts) >= WORDMARK_ASPECT_MIN) return true;
  return isFlat(facts) && Math.max(facts.width, facts.height) <= MARK_EDGE_PX_MAX;
}

function isFlat({ colours }: PictureFacts): boolean {
  const shares = colours.slice(0, FLAT_COLOURS_MAX).map(({ share }) => share);
  return shares.reduce((sum, share) => sum + share, 0) >= FLAT_SHARE_MIN;
}
