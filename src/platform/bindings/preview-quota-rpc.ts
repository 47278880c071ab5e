import type { PreviewCounts, PreviewLimits } from "#api/preview-quota.ts";

/** Calls to a workspace's counters of previews (src/domains/previews/count-previews.ts). */

/** What every call carries: the API key, its limits, and the caller's time. */
export interface QuotaCall {
  readonly apiKeyId: string;
  readonly limits: PreviewLimits;
  readonly nowMs: number;
}

/** A call about one reservation. Its id is the caller's: a repeated call reserves nothing more. */
export interface ReservationCall extends QuotaCall {
  readonly reservationId: string;
  /** Previews with the same cache key are rendered one at a time. */
  readonly cacheKey: string;
}

/** `busy`: an equal preview is being rendered. `refused`: a counter is exhausted, as the counts show. */
export interface ReserveResult {
  readonly kind: "reserved" | "busy" | "refused";
  /** An equal preview was settled before: the cache may have it since the caller looked. */
  readonly wasSettled: boolean;
  readonly counts: PreviewCounts;
}

/** A picture that was drawn for a preview. */
export type DrawnPicture = {
  /** Hashes of the files that it was drawn from. */
  readonly files: string;
  /** Signed bytes that near-identical pictures have nearly in common (`likenessOf` in src/renderer/preview). */
  readonly likeness: ArrayBuffer;
};

export interface PreviewQuotaRpc extends Rpc.DurableObjectBranded {
  read(call: QuotaCall): PreviewCounts;
  admit(call: QuotaCall): Promise<{ isAdmitted: boolean; counts: PreviewCounts }>;
  reserve(call: ReservationCall): Promise<ReserveResult>;
  renew(call: ReservationCall): { isHeld: boolean; counts: PreviewCounts };
  settle(call: ReservationCall): PreviewCounts;
  countAlike(call: QuotaCall & DrawnPicture): { isAllowed: boolean; counts: PreviewCounts };
  release(call: ReservationCall, wasAttempted: boolean): PreviewCounts;
  untilFree(cacheKey: string, nowMs: number, waitMsMax: number): Promise<void>;
}
