import type { CompositionWish, Variant } from "#catalogue/looks.ts";
import type { ProtectedArea } from "#renderer/focus/protected-areas.ts";
import type { BadgeShape, Look } from "#renderer/look/index.ts";
import type { CalmMap } from "#renderer/subjects/calm.ts";
import type { PlainSides } from "#renderer/subjects/subject-map.ts";
import type { TextBlock } from "#renderer/type/index.ts";
import type { Box, Copy, ElementRole, Family, TextRole } from "#renderer/types.ts";
import type { Canvas } from "./canvas-of-size.ts";
import type { PhotoInk } from "./photo-ink.ts";
import type { Typesetter } from "./typesetter.ts";

/** The properties of a picture that a layout depends on. */
export interface PictureTraits {
  /** Width / height of the visible part. */
  readonly aspect: number;
  readonly isCutOut: boolean;
  /** Box of a product on a plain background, in fractions of the picture; null if unknown. */
  readonly subjectBox: Box | null;
  /** Areas to show whole and keep free of text, most important first; fractions of the visible part. */
  readonly protectedAreas: readonly ProtectedArea[];
  /** The photo as a background for text; null if the picture is not a photo. */
  readonly textBackground: TextBackground | null;
}

/** A photo as a background for text. */
export interface TextBackground {
  readonly calm: CalmMap;
  /** The sides past which the photo may be extended in its own colours. */
  readonly plainSides: PlainSides;
  /** Whether text may be placed on the photo: its subject is known, or it has none. */
  readonly mayCarryWords: boolean;
  /** Width of the upright source, in pixels. */
  readonly sourceWidth: number;
}

/**
 * Fraction 0..1 of a placed picture's saliency under an area of the canvas; 1 if the area touches a head or a cut-out's
 * shape.
 */
export type AttentionOf = (picture: PlacedPicture) => (area: Box) => number;

/** The crop of a photo that fills a region. */
export interface PictureCrop {
  /** The visible part, in fractions of the upright picture. */
  readonly shown: Box;
  /** Canvas pixels per source pixel. */
  readonly enlargement: number;
  /** Fraction 0..1 of the saliency that is visible. Each call reads the whole saliency map. */
  readonly salience: () => number;
}

/**
 * The crop of a picture for a region of the given width and height in pixels; `free` (fractions) is the part without
 * text.
 */
export type CropOf = (role: PlacedPicture["role"], width: number, height: number, free: Box) => PictureCrop;

/** Fraction 0..1 of the hero's saliency under `area` when the hero covers the whole canvas. */
export type SaliencyUnder = (area: Box) => number;

/** All inputs of a layout. Boxes are in canvas pixels. */
export interface Brief extends Canvas {
  readonly family: Family;
  readonly copy: Copy;
  /** Number of the requested variant (`chooseComposition`). */
  readonly variant: Variant;
  /** How picture and text should share the canvas; with `auto` the layout decides. */
  readonly composition: CompositionWish;
  readonly hero: PictureTraits | null;
  readonly secondaryHero: PictureTraits | null;
  readonly saliencyUnder: SaliencyUnder;
  readonly attentionOf: AttentionOf;
  readonly cropOf: CropOf;
  /** Whether a `background` picture lies under everything. */
  readonly hasBackground: boolean;
  readonly logo: PictureTraits | null;
  readonly look: Look;
  readonly typesetter: Typesetter;
  /** Whether the canvas is laid out mirrored, for right-to-left text. Photos are not mirrored. */
  readonly isMirrored?: boolean;
  /** Whether a strip's logo and picture may be a quarter smaller than usual, before text is dropped. */
  readonly isShrunk: boolean;
}

/** A button with this text shows its look's arrow instead. */
export const ARROW = "\u2192";

/** The field of the copy for each text role. */
export const COPY_FIELD = {
  headline: "headline",
  subheadline: "subheadline",
  cta: "cta",
  disclaimer: "disclaimer",
  price: "price",
  old_price: "oldPrice",
  badge: "badge",
} as const satisfies Record<TextRole, keyof Copy>;

/** Whether an ad copy has no text for a text block. A badge does not count, because it is placed on the picture. */
export const isWordless = ({ headline, subheadline, cta, disclaimer, price }: Copy): boolean =>
  [headline, subheadline, cta, disclaimer, price].every((text) => text === undefined);

export interface PlacedText {
  readonly role: TextRole;
  readonly set: TextBlock;
  /** Top left of the text block. */
  readonly x: number;
  readonly y: number;
  /** Bounding box of the ink on the canvas, with an old price's strike-through. */
  readonly ink: Box;
  /**
   * Whether the text is on a scrim over a photo. A price there has plain ink, unless the accent colour is as legible.
   */
  readonly isOnScrim?: boolean;
  /** Whether the text is on the coloured field of a pack without a picture, in that field's ink. */
  readonly isOnField?: boolean;
}

export interface PlacedButton {
  readonly box: Box;
  /** Type size in pixels. */
  readonly sizePx: number;
  /** Null when the button shows an arrow alone. */
  readonly text: PlacedText | null;
  /** Place of the look's arrow; null without one. */
  readonly arrow: Box | null;
  /** Whether the button is on the coloured field of a pack without a picture. */
  readonly isOnField?: boolean;
  /** Whether the arrow points left, as in right-to-left text. */
  readonly isArrowToLeft?: boolean;
}

export interface PlacedBadge {
  readonly box: Box;
  readonly shape: BadgeShape;
  readonly text: PlacedText;
}

export interface PlacedPicture {
  readonly role: Extract<ElementRole, "hero" | "secondary_hero">;
  readonly box: Box;
  /** `cover` fills its box; `card` fills it with round corners and a shadow; `cut_out` is fitted inside it. */
  readonly fill: "cover" | "card" | "cut_out";
  /** The part of the box that no text covers, in fractions 0..1: the place for the subject. */
  readonly free: Box;
  /** The visible part of a cut-out, in fractions; the canvas edge cuts the rest. */
  readonly part: Box;
  /**
   * The visible part of a photo, in fractions of the upright picture; null until its crop is chosen. Outside 0..1 the
   * photo's plain background is extended.
   */
  readonly shown: Box | null;
  /** A tinted part of the canvas behind the picture; null for the plain surface. */
  readonly cell: Box | null;
  readonly cornerRadiusPx: number;
  /** A card without a shadow. */
  readonly isFlat?: boolean;
  /**
   * Whether a cut-out ends at the edge of the canvas or of a panel, or stands on a floor; `none` for photos and cards.
   */
  readonly footing: "edge" | "floor" | "none";
}

/** Whether a picture has faces or areas that the caller asked to keep: these outweigh a subject. */
export const hasKeyAreas = (traits: PictureTraits | null): boolean =>
  traits?.protectedAreas.some(({ kind }) => kind !== "subject") ?? false;

/** Whether a photo's background is extended past its edges. */
export const isExtended = ({ shown }: PlacedPicture): boolean =>
  shown !== null && (shown.x < 0 || shown.y < 0 || shown.x + shown.width > 1 || shown.y + shown.height > 1);

/** The box of the photo itself on the canvas, without its extended background; whole pixels. */
export function photoBoxOf(placed: PlacedPicture): Box {
  const { box, shown } = placed;
  if (shown === null || !isExtended(placed)) return box;
  const across = (share: number) => Math.round(((share - shown.x) / shown.width) * box.width);
  const down = (share: number) => Math.round(((share - shown.y) / shown.height) * box.height);
  const [left, top] = [Math.max(0, across(0)), Math.max(0, down(0))];
  return {
    x: box.x + left,
    y: box.y + top,
    width: Math.min(box.width, across(1)) - left,
    height: Math.min(box.height, down(1)) - top,
  };
}

/**
 * A scrim in the surface's colour, or in the photo's own colour if the text has a `PhotoInk`. An `adaptive` opacity is
 * raised until the text is legible.
 */
export interface Scrim {
  readonly box: Box;
  readonly axis: "across" | "down";
  readonly stops: readonly { readonly at: number; readonly opacity: number | "adaptive" }[];
  readonly adaptiveOpacityMin: number;
  /** Length in pixels of the fade at both ends of the axis other than `axis`. */
  readonly fadePx?: number;
  /** Estimate of an adaptive opacity after it is raised, 0..1. */
  readonly expectedOpacity?: number;
}

/** A card of the surface colour on a photo, behind text. */
export interface TextCard {
  readonly box: Box;
  readonly cornerRadiusPx: number;
}

/** The graphic that replaces a pack's missing picture. */
export interface BrandGraphic {
  /** The coloured part of the canvas; null where the mark is on the plain surface. */
  readonly field: Box | null;
  /** The square around the mark; the field or the canvas crops it. */
  readonly mark: Box;
  /** Whether rows of marks of this size fill the field, instead of one mark. */
  readonly isRepeated: boolean;
}

/** Placed logo, text and button. */
export interface CopyBlock {
  readonly logo: Box | null;
  readonly texts: readonly PlacedText[];
  readonly button: PlacedButton | null;
  readonly badge?: PlacedBadge | undefined;
  /** The headline's size relative to the largest for the shape, 0..1; 1 without a headline. */
  readonly headlineSizeShare: number;
  /** Quality of the headline's line breaks, 0..1; 1 without a headline. */
  readonly lineBreakScore: number;
}

/** Rises with the headline's size and the quality of its line breaks, 0..1. */
export const headlineScore = ({
  headlineSizeShare,
  lineBreakScore,
}: Pick<CopyBlock, "headlineSizeShare" | "lineBreakScore">): number => headlineSizeShare * lineBreakScore;

/** The boxes of a block's texts, logo, button and badge. */
export const boxesOf = ({ logo, texts, button, badge }: CopyBlock): readonly Box[] => [
  ...texts.map(({ ink }) => ink),
  ...[logo, button?.box, badge?.box].flatMap((box) => box ?? []),
];

/**
 * Whether a design's pictures are placed on the plain surface rather than filling the canvas as photos do. A product's
 * photo fills the canvas once its subject is known: then no crop cuts the product and no text covers it.
 */
export const isHeroOnSurface = ({ hero, hasBackground, family }: Brief): boolean =>
  hero !== null &&
  (hero.isCutOut ||
    hasBackground ||
    family === "device" ||
    (family === "product" && hero.protectedAreas.length === 0));

/** Whether the hero is a cut-out person, who is placed on the canvas edge. */
export const isStandingPerson = ({ family, hero }: Brief): boolean =>
  family === "person" && hero?.isCutOut === true;

/** A device of a smaller aspect than this counts as upright. */
const UPRIGHT_ASPECT_MAX = 0.8;

/** On canvases between these aspects, such as a square or 4:5, an upright device is whole beside its text. */
const WHOLE_DEVICE = { min: 0.72, max: 1.3 };

/** Whether the canvas edge may cut the cut-out: a person, or an upright device. */
export const isCutByFoot = (brief: Brief): boolean => {
  const aspect = brief.width / brief.height;
  const isBetween = aspect >= WHOLE_DEVICE.min && aspect < WHOLE_DEVICE.max;
  return isStandingPerson(brief) || (isUprightDevice(brief) && !isBetween);
};

export const isUprightDevice = ({ family, hero }: Brief): boolean =>
  family === "device" && hero?.isCutOut === true && hero.aspect < UPRIGHT_ASPECT_MAX;

/** A scrim of one opacity over the whole canvas. */
export const evenScrim = ({ width, height }: Brief, adaptiveOpacityMin: number): Scrim => ({
  box: { x: 0, y: 0, width, height },
  axis: "down",
  stops: [
    { at: 0, opacity: "adaptive" },
    { at: 1, opacity: "adaptive" },
  ],
  adaptiveOpacityMin,
});

/** A block without text, to which only the logo is added. */
export const NO_TEXT: Omit<CopyBlock, "logo"> = {
  texts: [],
  button: null,
  headlineSizeShare: 1,
  lineBreakScore: 1,
};

/** A finished arrangement with the place of every element. */
export interface Design extends CopyBlock {
  /** `lit`: with a soft light behind the pictures. */
  readonly surface: "flat" | "lit";
  readonly pictures: readonly PlacedPicture[];
  readonly scrims: readonly Scrim[];
  /** Scrims lie over photos that fill their box, but under cut-outs on a background. */
  readonly scrimsOver: "pictures" | "background";
  readonly textCard?: TextCard;
  /** The ink for text on a photo, by the photo's lightness there; when absent, text has the surface's ink. */
  readonly photoInk?: PhotoInk;
  readonly graphic?: BrandGraphic;
}

export const NO_SCRIMS = { scrims: [], scrimsOver: "pictures" } as const;

/** The sides of a canvas, in reading direction. */
export type Side = "start" | "end" | "head" | "foot";

/** Whether text at that side is beside its picture, rather than above or below it. */
export const isBeside = (side: Side): boolean => side === "start" || side === "end";

/** A block moved with all its parts. */
export function movedBlock<B extends CopyBlock>(
  block: B,
  move: <T extends Box>(box: T) => T,
  moveText: (text: PlacedText) => PlacedText,
): B {
  const { logo, button, badge } = block;
  return {
    ...block,
    ...(badge === undefined ? {} : { badge: { ...badge, box: move(badge.box), text: moveText(badge.text) } }),
    logo: logo === null ? null : move(logo),
    texts: block.texts.map(moveText),
    button:
      button === null
        ? null
        : {
            ...button,
            box: move(button.box),
            text: button.text === null ? null : moveText(button.text),
            arrow: button.arrow === null ? null : move(button.arrow),
          },
  };
}
