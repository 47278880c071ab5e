/** A stretch of one axis, in shares 0..1. */
export interface Stretch {
  readonly start: number;
  readonly length: number;
}

/** A window over one axis of a picture, and what decides where it opens; shares 0..1. */
export interface Window {
  /** How much each part of the axis matters. */
  readonly profile: Float64Array;
  /** The window's length, as a share of the axis. */
  readonly span: number;
  /** What should stand in the middle of the free part. */
  readonly focus: number;
  /** The part of the window that words leave free. */
  readonly freeStart: number;
  readonly freeLength: number;
  /** How far before the free part's middle the focus stands, as a share of that part. */
  readonly rise: number;
  /** The focus alone decides, not the profile. */
  readonly isFocusAlone: boolean;
  /** A stretch of the axis that must lie whole inside a part of the window. */
  readonly protectedStretch: (Stretch & { readonly roomStart: number; readonly roomLength: number }) | null;
  /** Stretches that the window's ends should not cut. */
  readonly others: readonly Stretch[];
}

const OFFSETS = 72;
/** How much the focal point's distance from the free part's centre counts against saliency kept. */
const CENTRE_PULL = 0.5;
/** The weight of saliency under the words. */
const COVERED_WORTH = 0.35;
/** The score that is lost for every stretch that an end of the window cuts. */
const CUT_COST = 0.15;
/** Two windows this near are one: sums of shares have an error. */
const NEAR = 1e-9;

/** The best start 0..1, with its score, of a window; null when none has the protected stretch inside. */
export function bestWindow(window: Window): { readonly start: number; readonly score: number } | null {
  const { profile, span, focus, freeStart, freeLength, protectedStretch } = window;
  const room = Math.max(0, 1 - span);
  let [low, high] = [0, room];
  if (protectedStretch !== null) {
    low = Math.max(
      0,
      protectedStretch.start +
        protectedStretch.length -
        (protectedStretch.roomStart + protectedStretch.roomLength) * span,
    );
    high = Math.min(room, protectedStretch.start - protectedStretch.roomStart * span);
    if (low > high + NEAR) return null;
    high = Math.max(low, high);
  }
  let total = 0;
  for (const value of profile) total += value;
  let best = { start: (low + high) / 2, score: Number.NEGATIVE_INFINITY };
  for (let step = 0; step <= (high - low < NEAR ? 0 : OFFSETS); step += 1) {
    const start = low + ((high - low) * step) / OFFSETS;
    const apart = (focus - start) / span - (freeStart + freeLength * (0.5 - window.rise));
    let score = -CENTRE_PULL * apart * apart - CUT_COST * cutsOf(window, start);
    // All of the profile may be kept, and no more: most places need not be looked at to know that they are not the best.
    if (score + 1 + NEAR <= best.score) continue;
    if (!window.isFocusAlone) score += keptOf(window, start, total);
    if (score > best.score) best = { start, score };
  }
  return best;
}

/** The share of the profile that the window shows, weighed by where it stands. */
function keptOf({ profile, span, freeStart, freeLength }: Window, start: number, total: number): number {
  if (total === 0) return 0;
  let kept = 0;
  // One more at either end than the window covers: a share's rounding error may not leave one out.
  const end = Math.min(profile.length, Math.ceil((start + span) * profile.length) + 1);
  for (let index = Math.max(0, Math.floor(start * profile.length) - 1); index < end; index += 1) {
    const at = ((index + 0.5) / profile.length - start) / span;
    if (at > 0 && at < 1) kept += (profile[index] ?? 0) * worthAt(at, freeStart, freeLength);
  }
  return kept / total;
}

const cutsOf = ({ span, others }: Window, start: number): number =>
  others.filter(
    (one) =>
      (start > one.start && start < one.start + one.length) ||
      (start + span > one.start && start + span < one.start + one.length),
  ).length;

/** 1 in the free part, fading at the frame's rims, where a subject would be cut, and low under the words. */
function worthAt(at: number, freeStart: number, freeLength: number): number {
  const rim = Math.min(1, 7 * Math.min(at, 1 - at));
  const outside = Math.max(freeStart - at, at - freeStart - freeLength, 0);
  return rim * Math.max(COVERED_WORTH, 1 - outside * 5);
}
