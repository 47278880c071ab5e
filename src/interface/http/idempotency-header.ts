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

/** The request's method and path, and its Idempotency-Key, which was validated with `idempotencyHeaders`. */
export const identityOf = (c: Context<AppEnv>): RequestIdentity => ({
  operation: `${c.req.method} ${c.req.path}`,
  idempotencyKey: c.req.header("Idempotency-Key") ?? "",
});

/** The locks of Idempotency-Keys, for effects that are no single batch. */
export const locksOf = (c: Context<AppEnv>): IdempotencyLocks => ({
  objects: requireCapability(c, "idempotency"),
  operation: c.var.operation,
  defer: (work) => c.executionCtx.waitUntil(work),
});

/** An effect of a route that is one call of a domain's service. */
interface RouteEffect<T> extends Pick<IdempotentEffect<T, null>, "locks" | "fastPath" | "replay"> {
  /** The validated body; it belongs to what a repeated request must have in common. */
  readonly body: unknown;
  /** The scope of the Idempotency-Key where no API key gives it: a workspace of the session, or the account itself. */
  readonly workspaceId?: string;
  readonly execute: (claim: IdempotencyClaim) => Promise<Outcome<T>>;
}

/**
 * Has the effect of a route at most once for its Idempotency-Key (`withIdempotency`). Throws what refuses it. Sets
 * `Idempotent-Replayed: true` on a replay.
 */
export async function onceForKey<T>(
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

/** An effect whose headers are set on the answer: `Idempotent-Replayed` on a replay, the bookmark of what was written. */
export function shownEffect<T>(c: Context<AppEnv>, effect: IdempotentResult<T>): IdempotentResult<T> {
  if (effect.isReplay) c.header("Idempotent-Replayed", "true");
  else showBookmark(c, effect.bookmark);
  return effect;
}
