import { clock } from "#platform/clock.ts";
import type { ClaimedImport } from "./import-attempt.ts";
import { IMPORT_EXPIRED, IMPORT_FAILED } from "./import-failure.ts";
import {
  deleteExhausted,
  deleteExpiredImports,
  rejectExhausted,
  rejectExpiredImports,
  releaseImport,
  releaseImportMessage,
} from "./import-store.ts";

/**
 * Settles an import that could not be claimed though it is free, unless another message's attempt is under way.
 * `exhausted`: its last attempt crashed, and it has ended: what crashes an isolate is not retried for ever. `pending`: it
 * waits for another message. `done`: there is nothing to settle.
 */
export async function settleUnclaimedImport(
  db: D1Database,
  attempt: { readonly assetId: string; readonly messageId: string; readonly nowMs: number },
): Promise<{ readonly kind: "exhausted" | "pending" | "done" }> {
  const [, ended, waiting] = await db.batch([
    rejectExhausted.bind(db, { ...attempt, ...IMPORT_FAILED }),
    deleteExhausted.bind(db, attempt),
    releaseImportMessage.bind(db, attempt),
  ]);
  if ((ended?.meta.changes ?? 0) > 0) return { kind: "exhausted" };
  return { kind: (waiting?.meta.changes ?? 0) > 0 ? "pending" : "done" };
}

/** Ends an attempt without a result. `dispatchedAtMs`: when the message that the next one comes by was sent; null for none. */
export const releaseAttempt = (
  db: D1Database,
  { assetId, leaseId }: ClaimedImport,
  delayMs: number,
  dispatchedAtMs: number | null,
): Promise<number> =>
  releaseImport.run(db, { assetId, leaseId, nextAttemptAtMs: clock.now() + delayMs, dispatchedAtMs });

/** Rejects the assets of at most `limit` imports that could not be carried out in time. Returns how many. */
export async function expireImports(db: D1Database, nowMs: number, limit: number): Promise<number> {
  const [, expired] = await db.batch([
    rejectExpiredImports.bind(db, { nowMs, limit, ...IMPORT_EXPIRED }),
    deleteExpiredImports.bind(db, { nowMs, limit }),
  ]);
  return expired?.meta.changes ?? 0;
}
