import { accept, type Outcome } from "#api/errors.ts";
import type { IdempotentRequest, IdempotentResult } from "#domains/idempotency/with-idempotency.ts";
import type { Principal } from "#domains/keys/principal.ts";

/** Who an operation works for, and the one time that its request sees. */
export interface Caller extends Principal {
  readonly nowMs: number;
}

/** How a request is told from others: `POST /api/v1/jobs` and the caller's key. */
export interface RequestIdentity {
  readonly operation: string;
  readonly idempotencyKey: string;
}

/** A value that an operation made or showed again, and the state of the database that it wrote (D1's bookmark). */
export interface Effect<T> extends IdempotentResult<T> {
  readonly bookmark: string | null;
}

/** The request of a caller, as `withIdempotency` takes it. */
export const requestOf = (
  { workspaceId, apiKeyId, nowMs }: Caller,
  { operation, idempotencyKey }: RequestIdentity,
  body: unknown,
): IdempotentRequest => ({ workspaceId, apiKeyId, nowMs, operation, idempotencyKey, body });

/** The result with the bookmark of the session that the effect was written in. */
export const effectOf = <T>(
  result: Outcome<IdempotentResult<T>>,
  written: D1DatabaseSession | null,
): Outcome<Effect<T>> =>
  result.ok ? accept({ ...result.value, bookmark: written?.getBookmark() ?? null }) : result;
