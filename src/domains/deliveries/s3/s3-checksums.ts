import { DELIVERY_LIMITS } from "#api/delivery-rules.ts";
import { clock } from "#platform/clock.ts";
import type { ChecksumUse, RefusedChecksums } from "#platform/db/schema/index.ts";
import type { AttemptFailure } from "../delivery.ts";
import { updateRefusedChecksums } from "../destination-store.ts";

/**
 * S3's checksum headers, and S3-compatible stores that refuse them: R2 answers 501 to a part with a SHA-256
 * (https://github.com/Alos-no/Cloudflare.NET/pull/43), Backblaze B2 answers 400 to every `x-amz-checksum-*`
 * (https://www.backblaze.com/docs/cloud-storage-s3-compatible-api). Requests are sent with checksums, and repeated
 * without them if refused; the result is stored with the destination.
 */

/** Whether a store accepts checksums, for one attempt. Recorded separately for each use (`ChecksumUse`). */
export interface S3Checksums {
  /**
   * True when requests of this use carry checksums. A refusal counts for thirty days; then checksums are tried again.
   */
  readonly isUsed: (use: ChecksumUse) => boolean;
  /** Stores whether the store accepts checksums of this use. */
  readonly remember: (use: ChecksumUse, isUsed: boolean) => Promise<void>;
  /**
   * Uses for which this attempt has already tried both with and without checksums. It does so once per use, which
   * bounds the requests to an inconsistent store.
   */
  readonly fallbacksTried: Set<ChecksumUse>;
  /** True when an object was read back and verified in this attempt. */
  hasReadBack: boolean;
}

/** The stored checksum support of a destination. */
export function checksumsOf(
  db: D1Database,
  destinationId: string,
  refused: RefusedChecksums = {},
): S3Checksums {
  const refusedAtMs = new Map(Object.entries(refused));
  return {
    isUsed: (use) =>
      clock.now() - (refusedAtMs.get(use) ?? Number.NEGATIVE_INFINITY) >=
      DELIVERY_LIMITS.checksumsRememberedMs,
    remember: async (use, isUsed) => {
      if (isUsed) refusedAtMs.delete(use);
      else refusedAtMs.set(use, clock.now());
      const found = JSON.stringify(Object.fromEntries(refusedAtMs));
      await updateRefusedChecksums.run(db, { destinationId, refused: found });
    },
    fallbacksTried: new Set(),
    hasReadBack: false,
  };
}

/** A failure of a request to a store. */
export interface S3Failure extends AttemptFailure {
  /** True when the store may have refused the checksums and not the request. */
  readonly mayRefuseChecksums?: boolean;
}

/** The result of a request, or why it failed. */
export type Sent<T> = { readonly kind: "sent"; readonly value: T } | S3Failure;

/**
 * Sends with or without checksums, whichever the store is known to accept. If it refuses, tries the opposite, and
 * records that if it succeeds. `send` is called at most twice and starts over the second time.
 */
export async function withChecksumFallback<T>(
  checksums: S3Checksums,
  use: ChecksumUse,
  send: (withChecksums: boolean) => Promise<Sent<T>>,
): Promise<Sent<T>> {
  const isUsed = checksums.isUsed(use);
  const first = await send(isUsed);
  if (first.kind === "sent" || first.mayRefuseChecksums !== true || checksums.fallbacksTried.has(use))
    return first;
  checksums.fallbacksTried.add(use);
  const second = await send(!isUsed);
  if (second.kind === "sent") await checksums.remember(use, !isUsed);
  // Refused both ways, so checksums were not the reason: report the failure of the request without checksums.
  return second.kind === "failed" && second.mayRefuseChecksums === true && !isUsed ? first : second;
}
