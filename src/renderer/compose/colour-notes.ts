import type { Adjustment } from "../types.ts";
import type { PreparedPack } from "./prepared-pack.ts";
import type { Scene } from "./scene.ts";

/**
 * The notes of a pack, without those of colours that this output shows nothing of. The accent's note names the price; where
 * there is none it names what else is drawn in the changed colour, the badge or the ornament.
 */
export const notesOfShown = (pack: PreparedPack, scene: Scene): readonly Adjustment[] =>
  pack.adjustments.flatMap((note) =>
    note.code === "colour_changed" ? shownNote(note, pack, scene) : [note],
  );

function shownNote(
  note: Adjustment,
  { look, theme }: PreparedPack,
  { arrangement: { design }, ornament }: Scene,
): readonly Adjustment[] {
  const { texts, button, badge } = design;
  switch (note.element) {
    case "cta":
      return button === null ? [] : [note];
    case "headline":
      // Of all words.
      return texts.length === 0 ? [] : [note];
    case "price": {
      if (texts.some(({ role }) => role === "price")) return [note];
      // A shape in the brand's own accent is as it was asked for.
      if (badge !== undefined && (badge.shape === "rule" || theme.accentFill === theme.accent)) {
        return [{ ...note, element: "badge" }];
      }
      return ornament !== null && look.ornament === "frame" ? [{ ...note, element: null }] : [];
    }
    default:
      return [note];
  }
}
