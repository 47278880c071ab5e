import { LIMITS } from "#api/limits.ts";
import type { PreviewCounter, PreviewCounts } from "#api/preview-quota.ts";
import type { DrawnPicture, QuotaCall } from "#platform/bindings/preview-quota-rpc.ts";

/** Pure arithmetic of the daily and burst counters. */

export const DAY_MS = 86_400_000;
export const WINDOW_MS = LIMITS.previewBurstWindowMs;

/** Stored counts of a key's current window: previews begun, and requests. */
export interface BurstRow extends Record<string, SqlStorageValue> {
  window_start: number;
  rendered: number;
  requests: number;
}

/** Usage of a day and a window. */
export interface Usage {
  readonly day: number;
  readonly usedOfDay: number;
  readonly burst: BurstRow;
}

/** A day and a window without usage. */
export const unusedAt = (nowMs: number): Usage => ({
  day: Math.floor(nowMs / DAY_MS),
  usedOfDay: 0,
  burst: { window_start: Math.floor(nowMs / WINDOW_MS) * WINDOW_MS, rendered: 0, requests: 0 },
});

/** Both counters. The burst of a key that sends far too many requests counts as exhausted. */
export function countsOf(call: QuotaCall, { day, usedOfDay, burst }: Usage): PreviewCounts {
  const { limits } = call;
  const isFlooded = burst.requests >= requestsMax(call);
  return {
    product: counter(limits.product, usedOfDay, (day + 1) * DAY_MS),
    burst: counter(
      limits.burst,
      isFlooded ? Math.max(limits.burst, burst.rendered) : burst.rendered,
      burst.window_start + WINDOW_MS,
    ),
  };
}

const counter = (limit: number, used: number, resetsAtMs: number): PreviewCounter => ({
  limit,
  used,
  remaining: Math.max(0, limit - used),
  resetsAtMs,
});

/** Requests that a key may send in a window, rendered or not. */
export const requestsMax = ({ limits }: QuotaCall): number =>
  limits.burst * LIMITS.previewRequestsPerBurstUnit;

/**
 * Maximum mean difference of the traits (-127 to 127) of near-identical pictures. Added noise or another brightness
 * makes a difference of 0.6, another photo a difference of 8 or more.
 */
const ALIKE_DISTANCE_MAX = 3;

/** Number of other sets of files that produced a picture like this one. */
export function countOthersAlike(drawn: readonly DrawnPicture[], { files, likeness }: DrawnPicture): number {
  const traits = new Int8Array(likeness);
  const isAlike = (other: DrawnPicture) => {
    const sum = new Int8Array(other.likeness).reduce(
      (all, trait, at) => all + Math.abs(trait - (traits[at] ?? 0)),
      0,
    );
    return sum <= ALIKE_DISTANCE_MAX * traits.length;
  };
  return new Set(drawn.filter((other) => other.files !== files && isAlike(other)).map((other) => other.files))
    .size;
}
