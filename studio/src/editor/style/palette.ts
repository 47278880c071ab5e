import type { SlotId } from "creative-packs-service/slots";
import { type FileColour, type Files, filesOf } from "../draft/draft.ts";

/** The order in which files are asked for colours: a brand's are in its logo. */
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
/** Squared distance of colours that are told apart as swatches. */
const APART_MIN = 40 ** 2;

const channels = (colour: string): readonly [number, number, number] => [
  Number.parseInt(colour.slice(1, 3), 16),
  Number.parseInt(colour.slice(3, 5), 16),
  Number.parseInt(colour.slice(5, 7), 16),
];

function areApart(one: string, other: string): boolean {
  const [a, b] = [channels(one), channels(other)];
  return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2 >= APART_MIN;
}

/** How far a colour is from grey, 0..1. */
function chroma(colour: string): number {
  const all = channels(colour);
  return (Math.max(...all) - Math.min(...all)) / 255;
}

/** What is both common and a colour comes first: much grey is less of a brand than a little green. */
const rank = ({ colour, share }: FileColour): number => share * (0.15 + chroma(colour));

/** Colours of the draft's files to choose from, those of the logo first, no two alike. */
export function paletteOf(files: Files): string[] {
  const rows = filesOf(files)
    .toSorted(([a], [b]) => ORDER.indexOf(a) - ORDER.indexOf(b))
    .map(([, { colours }]) => colours.toSorted((a, b) => rank(b) - rank(a)).slice(0, PER_FILE_MAX));
  const palette: string[] = [];
  for (const { colour } of rows.flat()) {
    if (palette.length < COLOURS_MAX && palette.every((other) => areApart(other, colour)))
      palette.push(colour);
  }
  return palette;
}

/** Hues by the angle at which each ends. */
const HUES = [
  ...([
    [15, "red"],
    [40, "orange"],
    [68, "yellow"],
    [165, "green"],
    [195, "teal"],
  ] as const),
  ...([
    [260, "blue"],
    [295, "purple"],
    [345, "pink"],
    [361, "red"],
  ] as const),
] as const;
type Hue = (typeof HUES)[number][1] | "brown" | "grey";

/** What people would call a colour: its hue and how light it is. */
export function colourNameOf(colour: string): {
  readonly hue: Hue;
  readonly shade: "dark" | "plain" | "light";
} {
  const [red, green, blue] = channels(colour);
  const [most, least] = [Math.max(red, green, blue), Math.min(red, green, blue)];
  const turn =
    most === red
      ? (green - blue) / (most - least)
      : most === green
        ? 2 + (blue - red) / (most - least)
        : 4 + (red - green) / (most - least);
  const angle = (60 * turn + 360) % 360;
  const lightness = (most + least) / 510;
  const shade = lightness < 0.3 ? "dark" : lightness > 0.72 ? "light" : "plain";
  if (most - least < 26) return { hue: "grey", shade };
  const hue = HUES.find(([end]) => angle < end)?.[1] ?? "red";
  const isBrown = (hue === "orange" || hue === "yellow") && lightness < 0.42 && chroma(colour) < 0.5;
  return { hue: isBrown ? "brown" : hue, shade };
}
