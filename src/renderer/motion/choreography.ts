import { isInside, unionOf } from "../box-geometry.ts";
import { isOverlapping } from "../layout/design/boxes.ts";
import type { Box, ElementRole } from "../types.ts";
import type { Preset } from "./presets.ts";
import { AT_REST, PLAY, type Property, type Start, type Timeline, type Track } from "./timeline.ts";

/** A layer that may move. */
interface Moving {
  /**
   * Whether the layer's path from a start, in pixels, is free. `together`: all settling elements move, so they do not
   * block each other.
   */
  readonly isFree: (start: Start, how?: "together") => boolean;
}

/** A text, button or badge that may move: painted in parts, one for each line of text. */
export interface MovingWords extends Moving {
  readonly role: ElementRole;
  readonly parts: number;
}

/** A picture that may move, and its start in pixels. */
export interface MovingPicture extends Moving {
  readonly layer: string;
  readonly from: Start;
  readonly kind: "photo" | "object";
}

export const partName = (role: ElementRole, part: number): string => `${role}/${part}`;

/**
 * Start times. Elements that settle are visible from the first frame, which feeds and networks show as a still. Times
 * are multiples of 250 ms, so that at 4 frames a second no frame shows an element that has only begun to appear.
 */
const SETTLES_AT_MS: Partial<Record<ElementRole, number>> = { headline: 0, price: 500, old_price: 500 };
export const isSettling = (role: ElementRole): boolean => SETTLES_AT_MS[role] !== undefined;
const ENTERS_AT_MS: Partial<Record<ElementRole, number>> = {
  subheadline: 500,
  badge: 750,
  disclaimer: 1_000,
};
/** Start of the button in ms. The button enters last, and sooner if fewer elements enter before it. */
const BUTTON_MS = { least: 1_000, each: 250, most: 1_500 };
/** Delay in ms between neighbouring lines of a text, and the maximum between its first and last line. */
const LINE_MS = 250;
const LINES_MS_MAX = 500;
const IN_LINES: ReadonlySet<ElementRole> = new Set(["headline", "subheadline", "disclaimer"]);

/** Start of the emphasis in ms. Price and button are emphasised, or the headline if there is neither. */
const MOMENT_AT_MS: Partial<Record<ElementRole, number>> = { price: 1_250, headline: 1_250 };
const BUTTON_RESTS_MS = 1_000;
const MOMENT_MS = 500;
const LINE_DRAWN_MS = 1_000;

/**
 * The timeline of a scene. Pictures move to their place, the lines of headline and price settle, then subheadline,
 * badge and disclaimer enter line by line, and the button last. `reachPx`: how far text travels; `isFromRight`: text is
 * right-to-left.
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
  const settlers = words.filter(({ role }) => isSettling(role));
  const settleFrom = farthestClear({ y: (preset.settle.y ?? 0) * reachPx }, (start) =>
    settlers.every(({ isFree }) => isFree(start, "together")),
  );
  const tracks = [
    ...pictures.flatMap((picture) => arrival(preset, picture)),
    ...words.flatMap((layer) => [
      ...(isSettling(layer.role)
        ? settling(preset, layer, settleFrom)
        : entrance(preset, layer, reach, layer.role === "cta" ? buttonMs : ENTERS_AT_MS[layer.role])),
      ...(moments.includes(layer.role) ? emphasis(preset, layer, buttonMs) : []),
    ]),
  ];
  return { ...PLAY, tracks };
}

/** Photos move slowly; cut-outs and cards arrive quickly. */
function arrival(
  { photoMs, settleMs }: Preset,
  { layer, from, kind, isFree }: MovingPicture,
): readonly Track[] {
  return kind === "photo"
    ? tracksFrom(from, layer, 0, photoMs, "in-out")
    : tracksFrom(farthestClear(from, isFree), layer, 0, settleMs, "out");
}

/**
 * Lines of headline and price settle, all by the same distance, so that the first frame has the spacing of the last.
 */
function settling({ settleMs }: Preset, { role, parts }: MovingWords, start: Start): readonly Track[] {
  return lineByLine(role, parts, SETTLES_AT_MS[role] ?? 0).flatMap(({ layer, startMs }) =>
    tracksFrom(start, layer, startMs, startMs + settleMs, "out"),
  );
}

function entrance(
  { enter, land, landing, entranceMs }: Preset,
  { role, parts, isFree }: MovingWords,
  reach: Reach,
  atMs: number | undefined,
): readonly Track[] {
  if (atMs === undefined) return [];
  const [way, easing] = IN_LINES.has(role) ? [enter, "out" as const] : [land, landing];
  const isFreeAll = easing === "over" ? (from: Start) => isFree(from) && isFree(beyond(from)) : isFree;
  const start = farthestClear({ ...way, x: (way.x ?? 0) * reach.x, y: (way.y ?? 0) * reach.y }, isFreeAll);
  return lineByLine(role, parts, atMs).flatMap(({ layer, startMs }) =>
    tracksFrom(start, layer, startMs, startMs + entranceMs, easing),
  );
}

/** Start times of an element's layers. */
function lineByLine(role: ElementRole, parts: number, atMs: number) {
  if (!IN_LINES.has(role)) return [{ layer: role, startMs: atMs }];
  const lineMs = Math.min(LINE_MS, LINES_MS_MAX / (parts - 1));
  return Array.from({ length: parts }, (_, line) => ({
    layer: partName(role, line),
    startMs: atMs + Math.round(line * lineMs),
  }));
}

/** The pose at the largest overshoot of `over`. */
const beyond = ({ x = 0, y = 0, scale = 1 }: Start): Start => ({
  x: -x / 10,
  y: -y / 10,
  scale: 1 + (1 - scale) / 10,
});

function emphasis(
  { moment: peak, drawsLine }: Preset,
  { role, isFree }: MovingWords,
  buttonMs: number,
): readonly Track[] {
  if (role === "cta" && drawsLine)
    return tracksFrom({ reveal: 0 }, partName(role, 0), buttonMs, buttonMs + LINE_DRAWN_MS, "in-out");
  const startMs = MOMENT_AT_MS[role] ?? buttonMs + BUTTON_RESTS_MS;
  const endMs = startMs + MOMENT_MS;
  const peakMs = startMs + MOMENT_MS / 2;
  const grown = farthestClear({ scale: peak }, isFree);
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

/** Emphasised roles; the headline only if there is neither price nor button. */
function momentRoles(roles: readonly ElementRole[]): readonly ElementRole[] {
  const asked = roles.filter((role) => role === "price" || role === "cta");
  return asked.length > 0 ? asked : roles.filter((role) => role === "headline");
}

/** Fractions of a distance to try, the whole distance first. */
const SHARES = [1, 0.75, 0.5, 0.25];

/**
 * The farthest start from which the path is free; the place at rest if there is none. The start is in whole pixels: the
 * first frame shows it, and browsers blur letters at fractions of a pixel.
 */
function farthestClear(start: Start, isFree: (start: Start) => boolean): Start {
  const { x = 0, y = 0, scale = 1 } = start;
  const nearer = (share: number): Start => ({
    ...start,
    x: Math.round(x * share),
    y: Math.round(y * share),
    scale: 1 + (scale - 1) * share,
  });
  return SHARES.map(nearer).find(isFree) ?? nearer(0);
}

/**
 * Whether a box moves from a start to rest without leaving any of `others` that contains it at rest, and without
 * touching any that it does not touch at rest.
 */
export function isPathClear(box: Box, start: Start, others: readonly Box[]): boolean {
  const path = unionOf([box, boxFrom(box, start)]);
  return others.every((other) =>
    isInside(box, other, SLACK_PX)
      ? isInside(path, other, SLACK_PX)
      : isOverlapping(box, other) || !isOverlapping(path, other),
  );
}

/** A box scaled about its centre, then moved. */
const boxFrom = ({ x, y, width, height }: Box, { x: dx = 0, y: dy = 0, scale = 1 }: Start): Box => ({
  x: x + dx - (width * (scale - 1)) / 2,
  y: y + dy - (height * (scale - 1)) / 2,
  width: width * scale,
  height: height * scale,
});

/** Tolerance for rounded fractions, in pixels. */
export const SLACK_PX = 1;
