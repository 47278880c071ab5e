import type { Change } from "../layout/index.ts";
import type { Adjustment } from "../types.ts";

/** How each composition reads in a report. */
const COMPOSED = {
  usual: "The photo is cropped more closely",
  sides_swapped: "The words stand at the other end",
  on_photo: "The words lie at the foot of the photo, their logo with them",
  on_photo_head: "The words lie at the head of the photo",
  text_card: "The words stand on a card",
  panel_start: "The words stand on a panel beside the photo",
  panel_end: "The words stand on a panel beside the photo, at its other end",
  panel_foot: "The photo stands above the words, on a panel",
  extension: "The photo stands whole over its blurred copy",
  in_row: "Photo, words and button stand in one row",
  shelf: "The headline stands over the photo, the other words beside it",
  panel_head: "The photo stands below the words, on a panel",
  product_panel: "The product stands on a panel beside the words",
  product_tile: "The product stands on a tile",
  product_overlap: "The product reaches over the edge of a slim panel",
} as const;
const REASONS = {
  face: "the usual arrangement would cover or cut a face",
  subject: "the usual arrangement would cover or cut the main subject",
  kept: "the usual arrangement would cover or cut what its placement names",
  scrim: "words on it would need a scrim so dense that the photo looks muddy",
  column: "the usual arrangement would leave the words' column half empty",
  crop: "the usual arrangement would show too little of the photo, or enlarge it too much",
} as const;

/** What a report tells of what the layout did otherwise than usual. */
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
        changed("The photo stands whole on a blurred extension of itself: its place has other proportions."),
      ];
    case "reduced":
      return [changed("The photo is smaller than its place, so that it shows what it must whole.")];
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
