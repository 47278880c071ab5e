import type { Change, Composition } from "../layout/index.ts";
import type { Adjustment } from "../types.ts";

/** The text of each composition in a report. */
const COMPOSED: Readonly<Record<Composition, string>> = {
  usual: "The photo is cropped more closely",
  full_bleed: "The words lie on the photo",
  split_start: "The words are on a panel beside the photo",
  split_end: "The words are on a panel beside the photo, at its other end",
  split_foot: "The words are on a panel under the photo",
  split_head: "The words are on a panel over the photo",
  split_middle: "The photo is centred vertically, with the words beside it",
  framed_start: "The words are beside a photo inside the margins",
  framed_end: "The words are beside a photo inside the margins, at its other end",
  framed_foot: "The words are under a photo inside the margins",
  framed_head: "The words are over a photo inside the margins",
  overlap_start: "The words are on a card across the photo's start",
  overlap_end: "The words are on a card across the photo's end",
  overlap_foot: "The words are on a card across the photo's bottom",
  overlap_head: "The words are on a card across the photo's top",
  product_panel: "The product is on a panel beside the words",
  product_tile: "The product is on a tile",
  product_overlap: "The product overlaps the edge of a slim panel",
};
const REASONS = {
  face: "the first arrangement would cover or cut a face",
  subject: "the first arrangement would cover or cut the main subject",
  kept: "the first arrangement would cover or cut what its placement names",
} as const;

/** The report's notes on deviations from the usual layout. */
export function changeNotes(changes: readonly Change[]): readonly Adjustment[] {
  const notes = changes.flatMap(noteOf);
  const damage = changes.flatMap((change) => (change.kind === "damage" ? [change.damage] : []));
  if (damage.length === 0) return notes;
  const faces = damage.filter(({ part }) => part === "face").length;
  const what =
    faces > 0
      ? `${faces === 1 ? "A face is" : `${faces} faces are`}`
      : damage.every(({ part }) => part === "subject")
        ? "The main subject is"
        : "The part that the placement names is";
  const covered = damage.filter(({ kind }) => kind === "covered").length;
  const how = covered === damage.length ? "partly covered" : "not shown whole";
  return [
    ...notes,
    {
      code: damage.every(({ part }) => part === "subject") ? "subject_cut" : "face_cut",
      element: damage[0]?.picture ?? "hero",
      message: `${what} ${how}: this size has no arrangement of these words and pictures that could avoid it.`,
    },
  ];
}

const changed = (message: string): Adjustment => ({ code: "arrangement_changed", element: null, message });

function noteOf(change: Change): readonly Adjustment[] {
  switch (change.kind) {
    case "composition":
      return [changed(`${COMPOSED[change.composition]}: ${REASONS[change.reason]}.`)];
    case "extended":
      return [
        changed(
          "The photo's plain background is extended past its edge, because its place has other proportions.",
        ),
      ];
    case "wish":
      return [
        changed(
          `These words and pictures have no good ${change.wished} composition in this size: ${change.drawn} is drawn.`,
        ),
      ];
    case "fewer_variants":
      return [
        changed(
          `These words and pictures have ${change.drawn} good compositions in this size: ${change.drawn} is drawn instead of ${change.wanted}.`,
        ),
      ];
    case "damage":
      return [];
  }
}
