import { type Box, failure, type Result } from "../types.ts";
import { type AnimationBudget, createAnimationBudget } from "./animation-budget.ts";
import {
  type AnimationColours,
  type AnimationSpec,
  type WriteColours,
  type Written,
  writeAnimatedWebp,
  writeGif,
  writeIndexedApng,
  writeTruecolourApng,
} from "./animation-writers.ts";
import { addPart, addToHistogram, createHistogram, flatColours, type Histogram } from "./colour-histogram.ts";
import { choosePalette } from "./colour-quantiser.ts";
import type { Encoders } from "./encoders.ts";
import { changesBetween, type DrawFrame, frameCounts, planOf } from "./frame-plan.ts";
import {
  ANIMATED_WEBP_QUALITY_MIN,
  ANIMATED_WEBP_QUALITY_PREFERRED,
  ANIMATION_BYTES_MAX,
  ANIMATION_PALETTE_SIZES,
  byteCapUnreachable,
  FRAMES_MAX,
  PALETTE_FRAMES_MAX,
  TRUECOLOUR_ANIMATION_PX_MAX,
} from "./limits.ts";
import { orderedDither } from "./ordered-dither.ts";

export interface AnimationShape {
  readonly width: number;
  readonly height: number;
  /** Duration of each frame. */
  readonly delaysMs: readonly number[];
  /** Total number of plays, 1 or more. */
  readonly loops: number;
  /** Heads on the canvas: palettes have more colours for them, and their dithering is weaker. */
  readonly heads?: readonly Box[];
}

export interface EncodedAnimation {
  readonly bytes: Uint8Array;
  /** Frames in the file; a frame that shows nothing new is merged into the previous one. */
  readonly frames: number;
  readonly durationMs: number;
  /** The shortest planned time that a frame is shown. Merging frames can only lengthen the time of a frame. */
  readonly stepMsMin: number;
  readonly loops: number;
  /** Whether quality or colours were reduced to fit the cap. */
  readonly reduced: boolean;
  /** Whether frames were dropped to fit the cap. */
  readonly framesReduced: boolean;
}

/**
 * One quality or palette size at which the frames can be written; a ladder lists them from best to smallest. `write`
 * stops early once the file exceeds `bytesMax`.
 */
interface Rung {
  readonly isPreferred: boolean;
  write(spec: AnimationSpec, bytesMax: number): Promise<Written>;
}

interface RungTried {
  readonly rung: Rung;
  readonly written: NonNullable<Written>;
}

/**
 * Encodes an animation as well as the cap allows: reduces quality or colours first, then frames. Calls `draw` again for
 * every attempt; it must draw the same pixels. Needs memory for two frames and the file. The file is never larger than
 * 12 MB. Attempts stop when `budget`, which other encodings may share, is spent. Then the result is the best file so
 * far; without one, `whenSpent` selects between the smallest acceptable file and failure. Fails with
 * BYTE_CAP_UNREACHABLE or FORMAT_UNSUPPORTED.
 */
export async function encodeAnimation(
  encoders: Encoders,
  draw: DrawFrame,
  shape: AnimationShape,
  format: "gif" | "webp" | "apng",
  byteCap: number | null,
  budget: AnimationBudget = createAnimationBudget(),
  whenSpent: "give up" | "smallest" = "smallest",
): Promise<Result<EncodedAnimation>> {
  const { width, height, delaysMs, loops } = shape;
  if (delaysMs.length === 0 || delaysMs.length > FRAMES_MAX) {
    return failure("FORMAT_UNSUPPORTED", `An animation has 1 to ${FRAMES_MAX} frames.`);
  }
  const allowed = Math.min(byteCap ?? ANIMATION_BYTES_MAX, ANIMATION_BYTES_MAX);
  const rungs = await ladder(encoders, draw, shape, format);
  const counts = frameCounts(delaysMs.length);
  let changes: readonly number[] = [];
  let smallest: number | null = null;
  for (const [thinned, count] of counts.entries()) {
    const isLastPlan = thinned === counts.length - 1;
    // When the budget is spent, skip to the last plan, which has the smallest file.
    if (thinned > 0 && !budget.affords() && (whenSpent === "give up" || !isLastPlan)) continue;
    // Comparing frames takes time, so do it only when the file with all frames does not fit.
    if (thinned > 0 && changes.length === 0) changes = await changesBetween(draw, delaysMs.length);
    const plan = planOf(delaysMs, count, changes);
    const spec = { width, height, plan, loops, draw, spend: budget.spend };
    const found = await bestRung(rungs, spec, allowed, isLastPlan && whenSpent === "smallest", budget);
    if (found === null) {
      return failure("FORMAT_UNSUPPORTED", `The animation could not be written as ${format}.`);
    }
    // The file was cut off at the limit, so its full size is unknown.
    if (found.written === "too large") continue;
    const { bytes, frames } = found.written;
    if (bytes.length <= allowed) {
      const durationMs = delaysMs.reduce((sum, delay) => sum + delay, 0);
      return {
        ok: true,
        value: {
          bytes,
          frames,
          durationMs,
          stepMsMin: Math.min(...plan.map(({ delayMs }) => delayMs)),
          loops,
          reduced: !found.rung.isPreferred,
          framesReduced: thinned > 0,
        },
      };
    }
    smallest = Math.min(smallest ?? bytes.length, bytes.length);
  }
  return byteCapUnreachable(
    smallest,
    allowed,
    format === "apng" ? "APNG" : format === "gif" ? "GIF" : "WebP",
  );
}

/**
 * Finds the best rung whose file is within the limit. Assumes that size falls from rung to rung: tries the first, then
 * bisects. If no rung fits, returns the result of the last rung. In the last plan that file is complete, so that a
 * failure can report its size.
 */
async function bestRung(
  rungs: readonly Rung[],
  spec: AnimationSpec,
  allowed: number,
  isLastPlan: boolean,
  budget: AnimationBudget,
): Promise<RungTried | null> {
  let low = 0;
  let high = rungs.length - 1;
  let best: RungTried | null = null;
  let at = 0;
  let last: RungTried["written"] | null = null;
  while (low <= high) {
    if (!budget.affords()) {
      // Skip to the smallest rung, and only if no other plan follows.
      if (best !== null || !isLastPlan) break;
      at = high;
      low = high;
    }
    const rung = rungs[at];
    if (rung === undefined) break;
    const isLastResort = isLastPlan && at === rungs.length - 1;
    budget.begin();
    const written = await rung.write(spec, isLastResort ? Number.POSITIVE_INFINITY : allowed);
    if (written === null) return null;
    if (written !== "too large" && written.bytes.length <= allowed) {
      best = { rung, written };
      high = at - 1;
    } else {
      last = written;
      low = at + 1;
    }
    // Bisect from the start: usually either the best rung fits, or only a much lower one.
    at = (low + high) >> 1;
  }
  if (best !== null) return best;
  const rung = rungs.at(-1);
  return rung === undefined || last === null ? null : { rung, written: last };
}

async function ladder(
  encoders: Encoders,
  draw: DrawFrame,
  shape: AnimationShape,
  format: "gif" | "webp" | "apng",
): Promise<readonly Rung[]> {
  if (format === "webp") {
    const count = ANIMATED_WEBP_QUALITY_PREFERRED - ANIMATED_WEBP_QUALITY_MIN + 1;
    return Array.from({ length: count }, (_, step) => ({
      isPreferred: step === 0,
      write: (spec: AnimationSpec, bytesMax: number) =>
        writeAnimatedWebp(encoders, spec, ANIMATED_WEBP_QUALITY_PREFERRED - step, bytesMax),
    }));
  }
  const { heads = [] } = shape;
  const histogram = await countColours(draw, shape.delaysMs.length, heads);
  const write: WriteColours = format === "gif" ? writeGif : writeIndexedApng;
  const indexed = ANIMATION_PALETTE_SIZES.map((size, step) => {
    const colours = chosenOnce(histogram, size, heads);
    return {
      isPreferred: step === 0,
      write: (spec: AnimationSpec, bytesMax: number) => write(spec, colours(), bytesMax),
    };
  });
  const isSmall = shape.width * shape.height * shape.delaysMs.length <= TRUECOLOUR_ANIMATION_PX_MAX;
  if (format === "gif" || !isSmall) return indexed;
  return [
    { isPreferred: true, write: writeTruecolourApng },
    ...indexed.map((rung) => ({ ...rung, isPreferred: false })),
  ];
}

/** A palette and its dither, chosen on first use and then used for every frame plan. */
function chosenOnce(histogram: Histogram, size: number, heads: readonly Box[]): () => AnimationColours {
  let chosen: AnimationColours | null = null;
  return () => {
    if (chosen === null) {
      // The square root gives large areas fewer colours: their dither patterns take more bytes with many colours.
      const palette = choosePalette(histogram, size, Math.sqrt);
      chosen = { palette, dither: orderedDither(palette, flatColours(histogram), heads) };
    }
    return chosen;
  };
}

/**
 * Additional counts of the pixels of heads. Weights are square roots of counts, so heads get about three times their
 * share.
 */
const HEAD_COUNTS = 8;

/** Counts colours over evenly spread frames, including the first and the last. */
async function countColours(draw: DrawFrame, frames: number, heads: readonly Box[]): Promise<Histogram> {
  const histogram = createHistogram();
  const counted = Math.min(frames, PALETTE_FRAMES_MAX);
  for (let step = 0; step < counted; step++) {
    const index = counted === 1 ? 0 : Math.round((step * (frames - 1)) / (counted - 1));
    const frame = await draw(index);
    addToHistogram(histogram, frame);
    for (const head of heads) addPart(histogram, frame, head, HEAD_COUNTS);
  }
  return histogram;
}
