import type { VerticalMetrics } from "./font-face.ts";

/**
 * Moves the prominent heights (x-height, capitals, baseline) onto whole pixels, so that small text has crisp horizontal
 * edges. Hints heights only: widths and spacing stay as designed. Between those heights the shapes stretch by less than
 * a pixel.
 */
export interface PixelGrid {
  /** Heights above the baseline as designed and as drawn, both ascending, in pixels. */
  readonly designed: readonly number[];
  readonly drawn: readonly number[];
}

/** Scripts whose letters share the x-height and the height of capitals. */
const ALIGNED_SCRIPTS: ReadonlySet<string> = new Set(["Latn", "Cyrl", "Grek", "Zyyy"]);
/**
 * Maximum overshoot of round letters over flat ones, in ems; Latin ascenders rise above capitals by up to twice as
 * much.
 */
const OVERSHOOT_EM = 0.02;
/**
 * Sizes between which overshoot fades in: below the first it would only blur, above the second it is part of the
 * design.
 */
const OVERSHOOT_HIDDEN_PX = 22;
const OVERSHOOT_SHOWN_PX = 44;

/** The grid of a face at a size. */
export function pixelGrid(metrics: VerticalMetrics, unitsPerEm: number, fontSizePx: number): PixelGrid {
  const scale = fontSizePx / unitsPerEm;
  const xHeight = metrics.xHeight * scale;
  const capHeight = metrics.capHeight * scale;
  const shown = (fontSizePx - OVERSHOOT_HIDDEN_PX) / (OVERSHOOT_SHOWN_PX - OVERSHOOT_HIDDEN_PX);
  const hidden = OVERSHOOT_EM * fontSizePx * (1 - Math.min(1, Math.max(0, shown)));
  // Each zone is drawn level; past the last zone, the shape returns to its design within three times the zone's height.
  const zones: [designed: number, height: number, drawn: number][] = [
    [capHeight, 2 * hidden, Math.round(capHeight)],
  ];
  if (xHeight + hidden < capHeight * 0.94 && Math.round(xHeight) < Math.round(capHeight)) {
    zones.unshift([xHeight, hidden, Math.round(xHeight)]);
  }
  const designed = [-4 * hidden, -hidden, 0];
  const drawn = [-4 * hidden, 0, 0];
  for (const [from, height, to] of zones) {
    designed.push(from, from + height);
    drawn.push(to, to);
  }
  const top = Math.round(capHeight);
  designed.push(capHeight + 8 * hidden);
  drawn.push(top + 8 * hidden);
  return { designed, drawn };
}

/** The drawn position of a height; `y` runs down from the baseline, in pixels. */
export function onGrid(grid: PixelGrid, script: string, y: number): number {
  if (!ALIGNED_SCRIPTS.has(script)) return y;
  const { designed, drawn } = grid;
  const height = -y;
  const last = designed.length - 1;
  if (height <= (designed[0] ?? 0)) return y + (designed[0] ?? 0) - (drawn[0] ?? 0);
  if (height >= (designed[last] ?? 0)) return y + (designed[last] ?? 0) - (drawn[last] ?? 0);
  let i = 0;
  while (height > (designed[i + 1] ?? Infinity)) i += 1;
  const [from, to] = [designed[i] ?? 0, designed[i + 1] ?? 0];
  const [drawnFrom, drawnTo] = [drawn[i] ?? 0, drawn[i + 1] ?? 0];
  return to === from ? -drawnTo : -(drawnFrom + ((height - from) * (drawnTo - drawnFrom)) / (to - from));
}
