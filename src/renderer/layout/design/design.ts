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
  /** Width / height of what is visible. */
  readonly aspect: number;
  readonly isCutOut: boolean;
  /** Where a product stands on a plain background, in shares of the picture; null when that is not known. */
  readonly subjectBox: Box | null;
  /** What must be shown whole and stay free of words, the most important first; shares of what is visible. */
  readonly protectedAreas: readonly ProtectedArea[];
  /** What words on the photo would stand on; null for what is no photo. */
  readonly ground: PhotoGround | null;
}

/** A photo as a background of words. */
export interface PhotoGround {
  readonly calm: CalmMap;
  /** The sides at which the photo may go on beyond its edge in its own colours. */
  readonly plainSides: PlainSides;
  /** Whether its subject is known, or it has none: else no words lie on it. */
  readonly mayCarryWords: boolean;
  /** Width of the upright source, in pixels. */
  readonly sourceWidth: number;
}

/**
 * How much of what matters in a placed picture lies under an area of the canvas, 0..1; 1 as soon as it touches a head
 * or a cut-out's shape.
 */
export type AttentionOf = (picture: PlacedPicture) => (area: Box) => number;

/** What a place shows of a photo that fills it. */
export interface PictureCrop {
  /** The part of the picture that is shown, in shares of the upright picture. */
  readonly shown: Box;
  /** How many pixels of the canvas one pixel of the source takes. */
  readonly enlargement: number;
  /** How much of what matters in the picture is shown, 0..1. Read from its whole saliency map at every call. */
  readonly salience: () => number;
}

/** The crop of a picture for a place of a width and height in pixels; `free` (shares) is what words leave of it. */
export type CropOf = (role: PlacedPicture["role"], width: number, height: number, free: Box) => PictureCrop;

/** How much of what matters in the hero lies under `area` when it covers the whole canvas, 0..1. */
export type SaliencyUnder = (area: Box) => number;

/** All inputs of a layout. Boxes are in canvas pixels. */
export interface Brief extends Canvas {
  readonly family: Family;
  readonly copy: Copy;
  /** Which of the ranked compositions is wanted. */
  readonly variant: Variant;
  /** How picture and words should share the canvas; with `auto` the layout decides. */
  readonly composition: CompositionWish;
  readonly hero: PictureTraits | null;
  readonly secondaryHero: PictureTraits | null;
  readonly saliencyUnder: SaliencyUnder;
  readonly attentionOf: AttentionOf;
  readonly cropOf: CropOf;
  /** A `background` picture lies under everything. */
  readonly hasBackground: boolean;
  readonly logo: PictureTraits | null;
  readonly look: Look;
  readonly typesetter: Typesetter;
  /** The canvas is laid out mirrored, for words that read from right to left; photos are not mirrored. */
  readonly isMirrored?: boolean;
  /** The logo and the picture of a strip may be a quarter smaller than usual, before words are dropped. */
  readonly isShrunk: boolean;
}

/** A button with these words shows its look's arrow instead. */
export const ARROW = "\u2192";

/** The field of the copy that each text is set from. */
export const COPY_FIELD = {
  headline: "headline",
  subheadline: "subheadline",
  cta: "cta",
  disclaimer: "disclaimer",
  price: "price",
  old_price: "oldPrice",
  badge: "badge",
} as const satisfies Record<TextRole, keyof Copy>;

/** Whether a copy has no words that stand in a block of text; a badge stands on the picture. */
export const isWordless = ({ headline, subheadline, cta, disclaimer, price }: Copy): boolean =>
  [headline, subheadline, cta, disclaimer, price].every((text) => text === undefined);

export interface PlacedText {
  readonly role: TextRole;
  readonly set: TextBlock;
  /** Top left of the text block. */
  readonly x: number;
  readonly y: number;
  /** What is inked, on the canvas; an old price's with the line through it. */
  readonly ink: Box;
  /** A photo shows through the scrim behind it: a price takes the plain ink there unless its accent is read as easily. */
  readonly isOnScrim?: boolean;
  /** It stands on the field of colour of a pack without a picture, in that field's ink. */
  readonly isOnField?: boolean;
}

export interface PlacedButton {
  readonly box: Box;
  /** Size of its type, in pixels. */
  readonly sizePx: number;
  /** Null where the arrow stands alone. */
  readonly text: PlacedText | null;
  /** Where the look's arrow stands; null without one. */
  readonly arrow: Box | null;
  /** It stands on the field of colour of a pack without a picture. */
  readonly isOnField?: boolean;
  /** The arrow points to the left, as right-to-left words run. */
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
  /** `cover` fills its box; `card` fills it with round corners and a shadow; `cut_out` stands whole in it. */
  readonly fill: "cover" | "card" | "cut_out";
  /** The part of the box that no words cover, in shares 0..1: the subject should stand there. */
  readonly free: Box;
  /** The part of a cut-out that is shown, in shares; the canvas edge cuts the rest. */
  readonly part: Box;
  /**
   * The part of a photo that is shown, in shares of the upright picture; null until its crop is chosen. Outside 0..1 the
   * photo's plain background goes on.
   */
  readonly shown: Box | null;
  /** A tinted part of the canvas that the picture stands in; null for the plain surface. */
  readonly cell: Box | null;
  readonly cornerRadiusPx: number;
  /** A card without a shadow: it lies in the page rather than on it. */
  readonly isFlat?: boolean;
  /** What a cut-out does: stand on the canvas edge, on a floor, or float. */
  readonly footing: "edge" | "floor" | "none";
}

/** Whether a picture shows faces, or what the caller asked to keep whole: those weigh more than a subject. */
export const hasKeyAreas = (traits: PictureTraits | null): boolean =>
  traits?.protectedAreas.some(({ kind }) => kind !== "subject") ?? false;

/** Whether a photo's background goes on beyond the photo's edges. */
export const isExtended = ({ shown }: PlacedPicture): boolean =>
  shown !== null && (shown.x < 0 || shown.y < 0 || shown.x + shown.width > 1 || shown.y + shown.height > 1);

/** Where on the canvas a photo itself lies: its place, less where its background goes on; whole pixels. */
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

/** A scrim of the surface colour, or of a photo's own where the words have a photo's ink. `adaptive` marks an opacity that is raised until the text is legible. */
export interface Scrim {
  readonly box: Box;
  readonly axis: "across" | "down";
  readonly stops: readonly { readonly at: number; readonly opacity: number | "adaptive" }[];
  readonly adaptiveOpacityMin: number;
  /** The length over which it fades out at both ends of its other axis. */
  readonly fadePx?: number;
  /** What its adaptive opacity is expected to become, 0..1. */
  readonly expectedOpacity?: number;
}

/** A card of the surface colour on a photo, for words to stand on. */
export interface TextCard {
  readonly box: Box;
  readonly cornerRadiusPx: number;
}

/** What a pack without a picture shows in its place. */
export interface BrandGraphic {
  /** The coloured part of the canvas; null where the mark lies on the plain surface. */
  readonly field: Box | null;
  /** The square that the mark fits; the field, or the canvas, cuts it. */
  readonly mark: Box;
  /** Marks of that size in rows over the field, instead of one. */
  readonly isRepeated: boolean;
}

/** Logo, text and button, placed. */
export interface CopyBlock {
  readonly logo: Box | null;
  readonly texts: readonly PlacedText[];
  readonly button: PlacedButton | null;
  readonly badge?: PlacedBadge | undefined;
  /** Size of the headline against the largest the shape allows, 0..1; 1 without one. */
  readonly headlineSizeShare: number;
  /** How well the headline's lines break, 0..1; 1 without one. */
  readonly lineBreakScore: number;
}

/** Rises with the headline's size and with how well its lines break, 0..1. */
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
 * Whether the pictures of a design stand on the plain surface, rather than covering it as photos do. A product's photo is
 * composed as any other as soon as its subject is known: then no crop cuts the product and no words cover it.
 */
export const standsOnSurface = ({ hero, hasBackground, family }: Brief): boolean =>
  hero !== null &&
  (hero.isCutOut ||
    hasBackground ||
    family === "device" ||
    (family === "product" && hero.protectedAreas.length === 0));

/** A person that was cut out stands on the canvas edge. */
export const isStanding = ({ family, hero }: Brief): boolean =>
  family === "person" && hero?.isCutOut === true;

/** Slimmer than this a device is upright. */
const UPRIGHT_ASPECT_MAX = 0.8;

/** Of canvases between these aspects, as a square or 4:5, an upright device stands whole beside its words. */
const WHOLE_DEVICE = { min: 0.72, max: 1.3 };

/** A person stands on the canvas edge, and an upright device may be cut by it. */
export const isCutByFoot = (brief: Brief): boolean => {
  const aspect = brief.width / brief.height;
  const isBetween = aspect >= WHOLE_DEVICE.min && aspect < WHOLE_DEVICE.max;
  return isStanding(brief) || (isUprightDevice(brief) && !isBetween);
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

/** What a design without text is made of, besides its logo. */
export const NO_TEXT: Omit<CopyBlock, "logo"> = {
  texts: [],
  button: null,
  headlineSizeShare: 1,
  lineBreakScore: 1,
};

/** A finished arrangement: where everything stands. */
export interface Design extends CopyBlock {
  /** `lit`: with soft light behind what stands on it. */
  readonly surface: "flat" | "lit";
  readonly pictures: readonly PlacedPicture[];
  readonly scrims: readonly Scrim[];
  /** Scrims lie over photos that fill their box, but under what stands on a background. */
  readonly scrimsOver: "pictures" | "background";
  readonly textCard?: TextCard;
  /** The ink of words on a photo, by what lies under them; without one words have the surface's ink. */
  readonly photoInk?: PhotoInk;
  readonly graphic?: BrandGraphic;
}

export const NO_SCRIMS = { scrims: [], scrimsOver: "pictures" } as const;

/** The sides of a canvas, in reading direction. */
export type Side = "start" | "end" | "head" | "foot";

/** Whether words at that side are beside their picture, rather than over or under it. */
export const isBeside = (side: Side): boolean => side === "start" || side === "end";

/** A block with all that stands in it moved. */
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
