import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { accept, type Outcome, refuse } from "../contract/errors.ts";
import { LIMITS } from "../contract/limits.ts";
import { isGuardViolation } from "../db/guard.ts";
import { hashRequest, type IdempotencyClaim } from "../idempotency/claim.ts";
import { findRemembered, findRememberedWith, type RememberedRequest } from "../idempotency/store.ts";
import { keyRevoked } from "../keys/service.ts";
import { newId } from "../platform/ids.ts";
import { errorNameOf, log } from "../platform/log.ts";
import type { AppEnv } from "./context.ts";
import { requireCapability } from "./require-capability.ts";

/**
 * Longer than a request runs; after it a crashed holder is forgotten. A preview may wait longer for the renderer:
 * its key is then let go early, and the unique row and the preview's own reservation still make it happen once.
 */
const LOCK_LEASE_MS = 30_000;

/** The header that routes with an effect require (API §4.11). */
export const idempotencyHeaders = z.object({
  "idempotency-key": z
    .string()
    .min(1)
    .max(LIMITS.idempotencyKeyCharactersMax)
    .openapi({ example: "order-8812-launch-pack" }),
});

/** An effect and how to show it again. */
interface OnceOnly<T> {
  readonly idempotencyKey: string;
  readonly body: unknown;
  /** Whose key it is where no API key says so: a workspace that the session may act in, or the account itself. */
  readonly workspaceId?: string;
  /**
   * Does the effect. It must write `rememberStatements(claim, …)` in the batch of the effect.
   * May throw when that batch loses a race; the winner's result is then shown instead.
   */
  readonly perform: (claim: IdempotencyClaim, read: readonly D1Result[]) => Promise<Outcome<T>>;
  /** What the effect is decided on, read in one round trip with the Idempotency-Key; `perform` gets the results. */
  readonly reads?: (session: D1DatabaseSession) => readonly D1PreparedStatement[];
  /**
   * Its whole effect is one batch, and `rememberStatements` stands before everything in it that a twin could make fail.
   * D1 runs batches one after another, so that of two at once the second fails on the row, and shows what the first
   * made: it has waited for it without a lock.
   */
  readonly isOneBatch?: boolean;
  /**
   * Tries the effect, of one batch, before anything is read for it; null or a throw where that did not do. What was
   * meant for the caller then comes of `perform`: this tells nothing but a success.
   */
  readonly attempt?: (claim: IdempotencyClaim) => Promise<T | null>;
  /** Reads what an earlier request made. */
  readonly recall: (resourceId: string) => Promise<Outcome<T>>;
}

/** A result, and whether an earlier request made it. */
export interface Once<T> {
  readonly value: T;
  readonly isReplay: boolean;
}

/**
 * Performs an effect at most once for a workspace and Idempotency-Key. The second of two equal requests waits
 * for the first; the same key with another method, path or body is a conflict. Errors are not remembered.
 * Sets `Idempotent-Replayed: true` on a replay.
 */
export async function once<T>(c: Context<AppEnv>, effect: OnceOnly<T>): Promise<Outcome<Once<T>>> {
  const database = requireCapability(c, "database");
  const operation = `${c.req.method} ${c.req.path}`;
  const claim: IdempotencyClaim = {
    ...(effect.workspaceId === undefined ? byKey(c) : { workspaceId: effect.workspaceId, apiKeyId: null }),
    idempotencyKey: effect.idempotencyKey,
    operation,
    requestHash: await hashRequest(operation, effect.body),
    nowMs: c.get("nowMs"),
  };

  const replayOf = async (remembered: RememberedRequest | null): Promise<Outcome<Once<T>> | null> => {
    if (!remembered) return null;
    if (remembered.requestHash !== claim.requestHash) {
      return refuse(
        "IDEMPOTENCY_CONFLICT",
        "This Idempotency-Key was used with another method, path or body.",
      );
    }
    const recalled = await effect.recall(remembered.resourceId);
    if (!recalled.ok) return recalled;
    c.header("Idempotent-Replayed", "true");
    return accept({ value: recalled.value, isReplay: true });
  };

  const perform = async (): Promise<Outcome<Once<T>>> => {
    const attempted = await attempt(effect, claim);
    if (attempted !== null) return accept({ value: attempted, isReplay: false });
    const { remembered, read } = await readFirst(database.db, claim, effect.reads);
    const earlier = await replayOf(remembered);
    if (earlier) return earlier;
    try {
      const performed = await effect.perform(claim, read);
      if (performed.ok) return accept({ value: performed.value, isReplay: false });
      if (effect.isOneBatch !== true) return performed;
      // A twin may have had its effect meanwhile, and what this one is refused for may be what that one took.
      return (await replayOf(await findRemembered(database.db, claim))) ?? performed;
    } catch (thrown) {
      // A key that has ended while its request waited is shown nothing, also nothing that was made before.
      if (claim.apiKeyId !== null && isGuardViolation(thrown, "key_active")) return keyRevoked();
      // Either another request won the row, or the write was committed and its answer lost: both read the same.
      const winner = await replayOf(await findRemembered(database.db, claim));
      if (winner) return winner;
      throw thrown;
    }
  };
  return effect.isOneBatch === true ? perform() : whileLocked(c, claim, perform);
}

function byKey(c: Context<AppEnv>) {
  const { workspaceId, apiKeyId } = c.get("principal");
  return { workspaceId, apiKeyId };
}

async function attempt<T>(effect: OnceOnly<T>, claim: IdempotencyClaim): Promise<T | null> {
  try {
    return (await effect.attempt?.(claim)) ?? null;
  } catch {
    // A row of an equal request, a guess that no longer held, or a fault, also one after the commit: what is read next
    // tells all of these apart.
    return null;
  }
}

/** What was done under the key, and what the effect asked to be read beside it. */
async function readFirst(
  db: D1Database,
  claim: IdempotencyClaim,
  reads: OnceOnly<unknown>["reads"],
): Promise<{ readonly remembered: RememberedRequest | null; readonly read: readonly D1Result[] }> {
  if (reads === undefined) return { remembered: await findRemembered(db, claim), read: [] };
  const { remembered, alongside } = await findRememberedWith(db, claim, reads);
  return { remembered, read: alongside };
}

/** Does the work while no other request works under the key; 409 IDEMPOTENCY_IN_PROGRESS when that takes too long. */
async function whileLocked<T>(
  c: Context<AppEnv>,
  claim: IdempotencyClaim,
  work: () => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  const idempotency = requireCapability(c, "idempotency");
  const lock = idempotency.get(idempotency.idFromName(`${claim.workspaceId}:${claim.idempotencyKey}`));
  const token = newId();
  const isHeld = await acquire(c, lock, token);
  if (!isHeld) {
    return refuse("IDEMPOTENCY_IN_PROGRESS", "The first request with this Idempotency-Key is still at work.");
  }
  try {
    return await work();
  } finally {
    c.executionCtx.waitUntil(release(lock, token));
  }
}

type Lock = DurableObjectStub<import("../objects/idempotency-lock.ts").IdempotencyLock>;

/** True when the lock is held, or cannot be reached: the unique row in D1 holds the promise without it. */
async function acquire(c: Context<AppEnv>, lock: Lock, token: string): Promise<boolean> {
  try {
    return await lock.acquire(token, LIMITS.idempotencyWaitMsMax, LOCK_LEASE_MS);
  } catch (thrown) {
    log.failure({
      event: "idempotency_lock_unreachable",
      requestId: c.var.requestId,
      operation: c.var.operation,
      errorName: errorNameOf(thrown),
    });
    return true;
  }
}

async function release(lock: Lock, token: string): Promise<void> {
  try {
    await lock.release(token);
  } catch {
    // The lease ends by itself.
  }
}
