import { LIMITS } from "../api/limits.ts";
import type { PreviewCounter, PreviewCounts, PreviewLimits } from "../api/preview-quota.ts";

/** The counts of a day and of a burst window, from what is stored of them: pure. */

export const DAY_MS = 86_400_000;
export const WINDOW_MS = LIMITS.previewBurstWindowMs;

/** What every call to the quota carries: the API key, its limits, and the caller's time. */
export interface QuotaCall {
  readonly apiKeyId: string;
  readonly limits: PreviewLimits;
  readonly nowMs: number;
}

/** What is stored of a key's present window: previews that were begun, and requests. */
export interface BurstRow extends Record<string, SqlStorageValue> {
  window_start: number;
  rendered: number;
  requests: number;
}

/** What is used of a day and a window. */
export interface Usage {
  readonly day: number;
  readonly usedOfDay: number;
  readonly burst: BurstRow;
}

/** A day and a window in which nothing was used. */
export const unusedAt = (nowMs: number): Usage => ({
  day: Math.floor(nowMs / DAY_MS),
  usedOfDay: 0,
  burst: { window_start: Math.floor(nowMs / WINDOW_MS) * WINDOW_MS, rendered: 0, requests: 0 },
});

/** Both counters. A key that sends far too many requests has its burst shown as exhausted. */
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

/** Requests a key may send in a window, rendered or not. */
export const requestsMax = ({ limits }: QuotaCall): number =>
  limits.burst * LIMITS.previewRequestsPerBurstUnit;
