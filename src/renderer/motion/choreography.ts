import type { ElementRole } from "../types.ts";
import { farthestFree } from "./free-way.ts";
import type { Preset } from "./presets.ts";
import { AT_REST, PLAY, type Property, type Start, type Timeline, type Track } from "./timeline.ts";

/** A layer that is to move. */
interface Moving {
  /** Whether nothing is in its way from a start, in pixels. */
  readonly isFree: (start: Start) => boolean;
}

/** A text, button or badge that is to move: painted in parts, one for each line of words. */
export interface MovingWords extends Moving {
  readonly role: ElementRole;
  readonly parts: number;
}

/** A picture that moves, and from where, in pixels. */
export interface MovingPicture extends Moving {
  readonly layer: string;
  readonly from: Start;
  readonly kind: "photo" | "object";
}

export const partName = (role: ElementRole, part: number): string => `${role}/${part}`;

/**
 * When elements start to move. Those that settle are there from the first frame, which feeds and networks show as a still.
 * Times are multiples of 250 ms, so that formats of 4 frames a second show no element barely begun.
 */
const SETTLES_AT_MS: Partial<Record<ElementRole, number>> = { headline: 0, price: 500, old_price: 500 };
const ENTERS_AT_MS: Partial<Record<ElementRole, number>> = {
  subheadline: 500,
  badge: 750,
  disclaimer: 1_000,
};
/** The button comes last, and soon where little comes before it. */
const BUTTON_MS = { least: 1_000, each: 250, most: 1_500 };
/** From one line of words to the next, and to the last of a long text. */
const LINE_MS = 250;
const LINES_MS_MAX = 500;

/** Price, or the headline without one, and then the button have their moment. */
const MOMENT_AT_MS: Partial<Record<ElementRole, number>> = { price: 1_250, headline: 1_250 };
const BUTTON_RESTS_MS = 1_000;
const MOMENT_MS = 500;
const LINE_DRAWN_MS = 1_000;

/**
 * The timeline of a scene: pictures come to their place, the lines of headline and price settle, subheadline, badge and
 * disclaimer come in line by line, and the button last. `reachPx`: how far words travel; `isFromRight`: they are read from
 * the right.
 */
export function timelineOf(
  preset: Preset,
  words: readonly MovingWords[],
  pictures: readonly MovingPicture[],
  reachPx: number,
  isFromRight: boolean,
): Timeline {
  const reach = { x: isFromRight ? -reachPx : reachPx, y: reachPx };
  const roles = words.map(({ role }) => role);
  const before = roles.filter((role) => role === "price" || ENTERS_AT_MS[role] !== undefined).length;
  const buttonMs = Math.min(BUTTON_MS.most, BUTTON_MS.least + before * BUTTON_MS.each);
  const moments = momentRoles(roles);
  const tracks = [
    ...pictures.flatMap((picture) => arrival(preset, picture)),
    ...words.flatMap((layer) => [
      ...entrance(preset, layer, reach, buttonMs),
      ...(moments.includes(layer.role) ? moment(preset, layer, buttonMs) : []),
    ]),
  ];
  return { ...PLAY, tracks };
}

/** Photos come closer slowly; cut-outs and cards arrive quickly. */
function arrival(
  { photoMs, settleMs }: Preset,
  { layer, from, kind, isFree }: MovingPicture,
): readonly Track[] {
  return kind === "photo"
    ? tracksFrom(from, layer, 0, photoMs, "in-out")
    : tracksFrom(farthestFree(from, isFree), layer, 0, settleMs, "out");
}

function entrance(
  preset: Preset,
  { role, parts, isFree }: MovingWords,
  reach: Reach,
  buttonMs: number,
): readonly Track[] {
  const settlesAt = SETTLES_AT_MS[role];
  const at = settlesAt ?? (role === "cta" ? buttonMs : ENTERS_AT_MS[role]);
  if (at === undefined) return [];
  const isInLines = role === "headline" || role === "subheadline" || role === "disclaimer";
  const way = settlesAt !== undefined ? preset.settle : isInLines ? preset.enter : preset.land;
  const easing = way === preset.land ? preset.landing : "out";
  const isFreeAll = easing === "over" ? (from: Start) => isFree(from) && isFree(beyond(from)) : isFree;
  const start = farthestFree({ ...way, x: (way.x ?? 0) * reach.x, y: (way.y ?? 0) * reach.y }, isFreeAll);
  const lastsMs = settlesAt === undefined ? preset.entranceMs : preset.settleMs;
  const lineMs = Math.min(LINE_MS, LINES_MS_MAX / (parts - 1));
  const layers = isInLines ? Array.from({ length: parts }, (_, part) => partName(role, part)) : [role];
  return layers.flatMap((layer, line) => {
    const startMs = at + Math.round(line * lineMs);
    return tracksFrom(start, layer, startMs, startMs + lastsMs, easing);
  });
}

/** How far "over" goes past rest. */
const beyond = ({ x = 0, y = 0, scale = 1 }: Start): Start => ({
  x: -x / 10,
  y: -y / 10,
  scale: 1 + (1 - scale) / 10,
});

function moment(
  { moment: peak, drawsLine }: Preset,
  { role, isFree }: MovingWords,
  buttonMs: number,
): readonly Track[] {
  if (role === "cta" && drawsLine)
    return tracksFrom({ reveal: 0 }, partName(role, 0), buttonMs, buttonMs + LINE_DRAWN_MS, "in-out");
  const startMs = MOMENT_AT_MS[role] ?? buttonMs + BUTTON_RESTS_MS;
  const endMs = startMs + MOMENT_MS;
  const peakMs = startMs + MOMENT_MS / 2;
  const grown = farthestFree({ scale: peak }, isFree);
  return tracksFrom(grown, role, peakMs, endMs, "in-out").flatMap((back) => [
    { ...back, from: back.to, to: back.from, startMs, endMs: peakMs },
    back,
  ]);
}

interface Reach {
  readonly x: number;
  readonly y: number;
}

const PROPERTIES: readonly Property[] = ["x", "y", "opacity", "scale", "reveal"];

function tracksFrom(
  start: Start,
  layer: string,
  startMs: number,
  endMs: number,
  easing: Track["easing"],
): readonly Track[] {
  return PROPERTIES.flatMap((property): readonly Track[] => {
    const from = start[property];
    const to = AT_REST[property];
    return from === undefined || from === to ? [] : [{ layer, property, from, to, startMs, endMs, easing }];
  });
}

/** Roles that have a moment; the headline has it where there is neither price nor button. */
function momentRoles(roles: readonly ElementRole[]): readonly ElementRole[] {
  const asked = roles.filter((role) => role === "price" || role === "cta");
  return asked.length > 0 ? asked : roles.filter((role) => role === "headline");
}
