import type { PreviewCounts, PreviewLimits } from "#api/preview-quota.ts";

/** Calls to a workspace's preview counters (src/domains/previews/count-previews.ts). */

/** Fields of every call. */
export interface QuotaCall {
  readonly apiKeyId: string;
  readonly limits: PreviewLimits;
  readonly nowMs: number;
}

/** A call for one reservation. Its id makes repeated calls idempotent. */
export interface ReservationCall extends QuotaCall {
  readonly reservationId: string;
  /** Previews with the same cache key are rendered one at a time. */
  readonly cacheKey: string;
}

/** `busy`: an identical preview is being rendered. `refused`: a counter in `counts` is exhausted. */
export interface ReserveResult {
  readonly kind: "reserved" | "busy" | "refused";
  /** An identical preview was settled before, so it may be in the cache by now. */
  readonly wasSettled: boolean;
  readonly counts: PreviewCounts;
}

/** An image drawn for a preview. */
export type DrawnPicture = {
  /** Hashes of its source files. */
  readonly files: string;
  /**
   * The image's traits as signed bytes, similar for near-identical images (`likenessOf` in
   * src/renderer/mark/mark-values.ts).
   */
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
