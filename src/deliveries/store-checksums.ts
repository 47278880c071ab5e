import { DELIVERY_LIMITS } from "../contract/deliveries.ts";
import type { ChecksumUse, RefusedChecksums } from "../db/schema/index.ts";
import { clock } from "../platform/clock.ts";
import type { AttemptFailure } from "./delivery.ts";
import { updateRefusedChecksums } from "./destination-store.ts";

/**
 * S3's checksum headers, and the stores that refuse them though they speak S3: R2 answers 501 to a part with a
 * SHA-256 (https://github.com/Alos-no/Cloudflare.NET/pull/43), Backblaze B2 answers 400 to every `x-amz-checksum-*`
 * (https://www.backblaze.com/docs/cloud-storage-s3-compatible-api). Requests are tried with them, then without; what
 * was found is remembered with the destination.
 */

/** What is known of a store's checksums; one for each attempt, which learns and writes down what it learns. */
export interface StoreChecksums {
  /** Whether requests carry checksums for this use. A refusal counts for thirty days, then the store is asked again. */
  readonly isUsed: (use: ChecksumUse) => boolean;
  /** Remembers that the store takes checksums for this use, or does without. */
  readonly remember: (use: ChecksumUse, isUsed: boolean) => Promise<void>;
  /** Uses that were tried both ways in this attempt: once each, so that a store without a rule costs no more. */
  readonly triedBothWays: Set<ChecksumUse>;
  /** Whether an object's bytes were read back in this attempt and found true. */
  hasReadBack: boolean;
}

/** The checksums of a destination as they were last found. */
export function checksumsOf(
  db: D1Database,
  destinationId: string,
  refused: RefusedChecksums = {},
): StoreChecksums {
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
    triedBothWays: new Set(),
    hasReadBack: false,
  };
}

/** A failure that knows whether the store may have refused the headers and not the request. */
export interface StoreFailure extends AttemptFailure {
  readonly isAboutHeaders?: boolean;
}

/** Something that was sent, with what came of it; or why it failed. */
export type Sent<T> = { readonly kind: "sent"; readonly value: T } | StoreFailure;

/**
 * Sends with checksums or without, as the store is known to want it, and the other way when it refuses that. A store
 * that takes the other way is remembered for it. `send` is called twice at most, and must start anew when it is.
 */
export async function sendEitherWay<T>(
  checksums: StoreChecksums,
  use: ChecksumUse,
  send: (withChecksums: boolean) => Promise<Sent<T>>,
): Promise<Sent<T>> {
  const isUsed = checksums.isUsed(use);
  const first = await send(isUsed);
  if (first.kind === "sent" || first.isAboutHeaders !== true || checksums.triedBothWays.has(use))
    return first;
  checksums.triedBothWays.add(use);
  const second = await send(!isUsed);
  if (second.kind === "sent") await checksums.remember(use, !isUsed);
  // Refused both ways, it was not about checksums: what the plain request met is the reason.
  return second.kind === "failed" && second.isAboutHeaders === true && !isUsed ? first : second;
}
