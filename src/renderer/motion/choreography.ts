import type { ElementRole } from "../types.ts";
import type { Preset } from "./presets.ts";
import { PLAY, type Property, type Timeline, type Track } from "./timeline.ts";

/** A text, button or badge that is to move: painted in parts, one for each line of words. */
export interface MovingWords {
  readonly role: ElementRole;
  readonly parts: number;
}

/** A picture that moves, and from where. */
export interface MovingPicture {
  readonly layer: string;
  readonly from: Readonly<Partial<Record<Property, number>>>;
  readonly kind: "photo" | "object";
}

export const partName = (role: ElementRole, part: number): string => `${role}/${part}`;

/** When elements come in. The others are there from the first frame, which feeds and networks show as a still. */
const ENTERS_AT_MS: Partial<Record<ElementRole, number>> = {
  subheadline: 500,
  badge: 900,
  disclaimer: 1_300,
  cta: 1_700,
};
const ENTRANCE_MS = 500;
/** From one line of words to the next. */
const LINE_MS = 120;
/** The share of an entrance after which it is over its size and turns back. */
const OVERSHOOT_SHARE = 0.6;

const SETTLE_MS = 600;
/** Price, or the headline without one, and then the button have their moment. */
const MOMENT_AT_MS: Partial<Record<ElementRole, number>> = { price: 1_500, headline: 1_500, cta: 2_450 };
const MOMENT_MS = 500;
/** The share of a moment after which an element is largest. */
const MOMENT_PEAK_SHARE = 0.4;

/**
 * The timeline of a scene: pictures come to their place, the headline's lines settle, subheadline, badge and disclaimer
 * come in line by line, and the button last. `reachPx`: how far words travel; `isFromRight`: they are read from the right.
 */
export function timelineOf(
  preset: Preset,
  words: readonly MovingWords[],
  pictures: readonly MovingPicture[],
  reachPx: number,
  isFromRight: boolean,
): Timeline {
  const reach = { x: isFromRight ? -reachPx : reachPx, y: reachPx };
  const moments = momentRoles(words.map(({ role }) => role));
  const tracks = [
    ...pictures.flatMap(arrival),
    ...words.flatMap((layer) => [
      ...entrance(preset, layer, reach),
      ...(moments.includes(layer.role) ? moment(preset, layer) : []),
    ]),
  ];
  return { ...PLAY, tracks };
}

/** Photos move until the end card; what comes to its place is soon there. */
function arrival({ layer, from, kind }: MovingPicture): readonly Track[] {
  return tracksFrom(from, { x: 1, y: 1 }, layer, 0, kind === "photo" ? PLAY.endCardMs : SETTLE_MS, "out");
}

function entrance(preset: Preset, { role, parts }: MovingWords, reach: Reach): readonly Track[] {
  const at = ENTERS_AT_MS[role];
  const { enter, easing, settle, overshoot } = preset;
  const isInLines = role === "headline" || role === "subheadline" || role === "disclaimer";
  const start = at === undefined ? settle : enter;
  if (at === undefined && role !== "headline") return [];
  const layers = isInLines ? Array.from({ length: parts }, (_, part) => partName(role, part)) : [role];
  return layers.flatMap((layer, line) => {
    const startMs = (at ?? 0) + line * LINE_MS;
    const endMs = startMs + (at === undefined ? SETTLE_MS : ENTRANCE_MS);
    if (at === undefined || overshoot === 1 || start.scale === undefined)
      return tracksFrom(start, reach, layer, startMs, endMs, easing);
    const { scale, ...others } = start;
    const turnMs = startMs + (endMs - startMs) * OVERSHOOT_SHARE;
    return [
      ...tracksFrom(others, reach, layer, startMs, turnMs, easing),
      { layer, property: "scale", from: scale, to: overshoot, startMs, endMs: turnMs, easing },
      { layer, property: "scale", from: overshoot, to: 1, startMs: turnMs, endMs, easing },
    ];
  });
}

function moment({ moment: peak, redrawsLine }: Preset, { role }: MovingWords): readonly Track[] {
  const startMs = MOMENT_AT_MS[role] ?? 0;
  const endMs = startMs + MOMENT_MS;
  const peakMs = startMs + MOMENT_MS * MOMENT_PEAK_SHARE;
  if (role === "cta" && redrawsLine) {
    return [{ layer: partName(role, 0), property: "reveal", from: 0, to: 1, startMs, endMs, easing: "out" }];
  }
  return [
    { layer: role, property: "scale", from: 1, to: peak, startMs, endMs: peakMs, easing: "out" },
    { layer: role, property: "scale", from: peak, to: 1, startMs: peakMs, endMs, easing: "out" },
  ];
}

interface Reach {
  readonly x: number;
  readonly y: number;
}

const REST: Readonly<Record<Property, number>> = { x: 0, y: 0, opacity: 1, scale: 1, reveal: 1 };
const PROPERTIES: readonly Property[] = ["x", "y", "opacity", "scale", "reveal"];

function tracksFrom(
  from: Readonly<Partial<Record<Property, number>>>,
  reach: Reach,
  layer: string,
  startMs: number,
  endMs: number,
  easing: Track["easing"],
): readonly Track[] {
  return PROPERTIES.flatMap((property): readonly Track[] => {
    const start = from[property];
    if (start === undefined || start === REST[property]) return [];
    const times = property === "x" || property === "y" ? reach[property] : 1;
    return [{ layer, property, from: start * times, to: REST[property], startMs, endMs, easing }];
  });
}

/** Roles that have a moment; the headline has it where there is neither price nor button. */
function momentRoles(roles: readonly ElementRole[]): readonly ElementRole[] {
  const asked = roles.filter((role) => role === "price" || role === "cta");
  return asked.length > 0 ? asked : roles.filter((role) => role === "headline");
}
