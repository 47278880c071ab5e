/** An optional face with known damage. */
interface KnownFace {
  readonly picture: string;
  /** The face's box as marked: x, y, width and height in pixels of the picture. */
  readonly face: string;
  /** Pack, size and broken rule. */
  readonly damage: readonly string[];
}

/** Faces lower than 5 % of the picture's short edge, or hardly recognisable. The renderer finds none of them. */
const KNOWN_FACES: readonly KnownFace[] = [
  {
    picture: "office-dark.jpg",
    face: "115 610 32 75",
    damage: [
      "media, short copy, classic, meta-feed-1200x628, variant 1: covered by headline",
      "media, short copy, classic, meta-feed-1200x628, variant 1: veiled by scrim",
      "media, long copy, classic, meta-feed-1200x628, variant 1: covered by headline",
      "media, long copy, classic, meta-feed-1200x628, variant 1: veiled by scrim",
      "media, offer copy, classic, meta-feed-1200x628, variant 1: covered by headline",
      "media, offer copy, classic, meta-feed-1200x628, variant 1: veiled by scrim",
      "background, offer copy, logo, classic, meta-feed-1080x1350, variant 1: covered by badge",
    ],
  },
  {
    picture: "office-dark.jpg",
    face: "283 686 24 30",
    damage: [
      "media, short copy, classic, meta-feed-1200x628, variant 1: veiled by scrim",
      "media, long copy, classic, meta-feed-1200x628, variant 1: veiled by scrim",
      "media, offer copy, classic, meta-feed-1200x628, variant 1: veiled by scrim",
      "background, offer copy, logo, classic, iab-300x250, variant 1: covered by badge",
    ],
  },
];

/**
 * Broken rules on optional faces, one row for each rule of an output, in the format of rules.long.test.ts. Add no rows;
 * remove those that `npm run test:faces` reports as no longer broken.
 */
export const KNOWN_DAMAGE: readonly string[] = KNOWN_FACES.flatMap(({ picture, face, damage }) =>
  damage.map((one) => `${picture} [${face}], ${one}`),
);
