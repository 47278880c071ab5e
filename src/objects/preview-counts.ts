import { LIMITS } from "../contract/limits.ts";
import type { PreviewCounter, PreviewCounts, PreviewLimits } from "../contract/preview-allowance.ts";

/** What the counters of previews stand at: pure, from what is stored of a day and a window. */

export const DAY_MS = 86_400_000;
export const WINDOW_MS = LIMITS.previewBurstWindowMs;

/** Whose allowance, how large, and when. */
export interface QuotaQuestion {
  readonly apiKeyId: string;
  readonly limits: PreviewLimits;
  readonly nowMs: number;
}

/** What is stored of a key's present window. */
export interface BurstRow extends Record<string, SqlStorageValue> {
  window_start: number;
  drawn: number;
  requests: number;
}

/** What is known of a day and a window. */
export interface Usage {
  readonly day: number;
  readonly unitsUsed: number;
  readonly burst: BurstRow;
}

/** A day and a window in which nothing was used. */
export const unusedAt = (nowMs: number): Usage => ({
  day: Math.floor(nowMs / DAY_MS),
  unitsUsed: 0,
  burst: { window_start: Math.floor(nowMs / WINDOW_MS) * WINDOW_MS, drawn: 0, requests: 0 },
});

/** Both counters. A key that sends far too many requests has its burst shown as exhausted. */
export function countsOf(question: QuotaQuestion, { day, unitsUsed, burst }: Usage): PreviewCounts {
  const { limits } = question;
  const isFlooded = burst.requests >= requestsMax(question);
  return {
    product: counter(limits.product, unitsUsed, (day + 1) * DAY_MS),
    burst: counter(
      limits.burst,
      isFlooded ? Math.max(limits.burst, burst.drawn) : burst.drawn,
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

/** Requests a key may send in a window, drawn or not. */
export const requestsMax = ({ limits }: QuotaQuestion): number =>
  limits.burst * LIMITS.previewRequestsPerBurstUnit;
