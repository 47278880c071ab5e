import type { SlotId } from "creative-packs-service/slots";
import { type FileColour, type Files, filesOf } from "../draft/draft.ts";

/** Slots in the order in which their files supply colours. The logo is first, because it has the brand's colours. */
const ORDER: readonly SlotId[] = [
  "logo",
  "product",
  "person",
  "device",
  "media",
  "background",
  "secondaryMedia",
];
const COLOURS_MAX = 10;
const PER_FILE_MAX = 5;
/** Minimum squared distance of two colours in the palette. */
const APART_MIN = 40 ** 2;

const channels = (colour: string): readonly [number, number, number] => [
  Number.parseInt(colour.slice(1, 3), 16),
  Number.parseInt(colour.slice(3, 5), 16),
  Number.parseInt(colour.slice(5, 7), 16),
];

/** Squared distance of two colours. */
function distance(one: string, other: string): number {
  const [a, b] = [channels(one), channels(other)];
  return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2;
}

/** Distance from grey, 0 to 1. */
function chroma(colour: string): number {
  const all = channels(colour);
  return (Math.max(...all) - Math.min(...all)) / 255;
}

/** Weights a colour's frequency by its saturation, because a little green identifies a brand better than much grey. */
const rank = ({ colour, share }: FileColour): number => share * (0.15 + chroma(colour));

/** Colours of the draft's files, the logo's first, visibly different. */
export function paletteOf(files: Files): string[] {
  const rows = filesOf(files)
    .toSorted(([a], [b]) => ORDER.indexOf(a) - ORDER.indexOf(b))
    .map(([, { colours }]) => colours.toSorted((a, b) => rank(b) - rank(a)).slice(0, PER_FILE_MAX));
  const palette: string[] = [];
  for (const { colour } of rows.flat()) {
    if (palette.length < COLOURS_MAX && palette.every((other) => distance(other, colour) >= APART_MIN))
      palette.push(colour);
  }
  return palette;
}

/** Reference colours by name. */
const NAMED = {
  ...{ black: "#111111", grey: "#808080", white: "#f5f5f5", beige: "#e0d3b8", brown: "#6b4f2a" },
  ...{ red: "#c62828", orange: "#e08a2b", yellow: "#f0d040", olive: "#5a5a1e", green: "#4a9a50" },
  ...{ darkGreen: "#1c4433", teal: "#1f8a8a", blue: "#2a62c8", darkBlue: "#16264f", purple: "#7b3fa0" },
  pink: "#e58ab0",
} as const;
const NAMES = Object.keys(NAMED).filter((name): name is keyof typeof NAMED => name in NAMED);

/** The colour name whose reference is nearest. */
export const colourNameOf = (colour: string): keyof typeof NAMED =>
  NAMES.reduce((best, name) => (distance(colour, NAMED[name]) < distance(colour, NAMED[best]) ? name : best));
