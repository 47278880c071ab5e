import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { Outcome } from "#api/errors.ts";
import { LIMITS } from "#api/limits.ts";
import type { IdempotencyClaim } from "#domains/idempotency/claim.ts";
import { findRecord } from "#domains/idempotency/store.ts";
import {
  type IdempotencyLocks,
  type IdempotentEffect,
  type IdempotentResult,
  type RequestIdentity,
  withIdempotency,
} from "#domains/idempotency/with-idempotency.ts";
import { showBookmark } from "./bookmark.ts";
import type { AppEnv } from "./context.ts";
import { acceptedValue } from "./envelope.ts";
import { requireCapability } from "./require-capability.ts";

/** The header that operations with an effect require (API §4.11). */
export const idempotencyHeaders = z.object({
  "idempotency-key": z
    .string()
    .min(1)
    .max(LIMITS.idempotencyKeyCharactersMax)
    .openapi({ example: "order-8812-launch-pack" }),
});

/** The request's method, path and validated Idempotency-Key. */
export const identityOf = (c: Context<AppEnv>): RequestIdentity => ({
  operation: `${c.req.method} ${c.req.path}`,
  idempotencyKey: c.req.header("Idempotency-Key") ?? "",
});

/** Locks of Idempotency-Keys. */
export const locksOf = (c: Context<AppEnv>): IdempotencyLocks => ({
  objects: requireCapability(c, "idempotency"),
  operation: c.var.operation,
  defer: (work) => c.executionCtx.waitUntil(work),
});

/** A route's effect: one call of a domain's service. */
interface RouteEffect<T> extends Pick<IdempotentEffect<T, null>, "locks" | "fastPath" | "replay"> {
  /** The validated body, which a repeated request must match. */
  readonly body: unknown;
  /** Scope of the Idempotency-Key of a request without an API key: the session's workspace, or the account. */
  readonly workspaceId?: string;
  readonly execute: (claim: IdempotencyClaim) => Promise<Outcome<T>>;
}

/**
 * Runs a route's effect at most once per Idempotency-Key (`withIdempotency`). Throws refusals. Sets the headers of
 * `shownEffect`.
 */
export async function runOncePerKey<T>(
  c: Context<AppEnv>,
  { body, workspaceId, ...effect }: RouteEffect<T>,
): Promise<IdempotentResult<T>> {
  const { db } = requireCapability(c, "database");
  const scope = workspaceId === undefined ? c.get("principal") : { workspaceId, apiKeyId: null };
  const request = { caller: { ...scope, nowMs: c.get("nowMs") }, identity: identityOf(c), body };
  const done = await withIdempotency(db, request, {
    ...effect,
    read: async (claim) => ({ remembered: await findRecord(db, claim), facts: null }),
  });
  return shownEffect(c, acceptedValue(done));
}

/** Sets an effect's headers: `Idempotent-Replayed` on a replay, otherwise the bookmark of its writes. */
export function shownEffect<T>(c: Context<AppEnv>, effect: IdempotentResult<T>): IdempotentResult<T> {
  if (effect.isReplay) c.header("Idempotent-Replayed", "true");
  else showBookmark(c, effect.bookmark);
  return effect;
}
