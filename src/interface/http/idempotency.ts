import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { accept, type Outcome, refuse } from "#api/errors.ts";
import { LIMITS } from "#api/limits.ts";
import { hashRequest, type IdempotencyClaim } from "#domains/idempotency/claim.ts";
import {
  findRecord,
  findRecordWith,
  type IdempotencyRecord,
  type RecordWithReads,
  toRecordWith,
} from "#domains/idempotency/store.ts";
import { keyRevoked } from "#domains/keys/service.ts";
import { isGuardViolation } from "#platform/db/guard.ts";
import { newId } from "#platform/ids.ts";
import { log } from "#platform/log/log.ts";
import type { AppEnv } from "./context.ts";
import { requireCapability } from "./require-capability.ts";

/**
 * Longer than a request runs; afterwards the lock of a crashed request is free again. A preview may wait longer for the
 * renderer and lose its lock; the unique row and its own reservation still make it happen once.
 */
const LOCK_LEASE_MS = 30_000;

/** The header that operations with an effect require (API §4.11). */
export const idempotencyHeaders = z.object({
  "idempotency-key": z
    .string()
    .min(1)
    .max(LIMITS.idempotencyKeyCharactersMax)
    .openapi({ example: "order-8812-launch-pack" }),
});

/** How a request is told from others: `POST /api/v1/jobs` and the caller's key. */
export interface RequestIdentity {
  readonly operation: string;
  readonly idempotencyKey: string;
}

/** An effect and how to show it again. */
interface IdempotentEffect<T> {
  /** The operation that another interface stands for; else the request's own method, path and header. */
  readonly identity?: RequestIdentity | undefined;
  /** The validated body; it belongs to what a repeated request must have in common. */
  readonly body: unknown;
  /** The scope of the Idempotency-Key where no API key gives it: a workspace of the session, or the account itself. */
  readonly workspaceId?: string;
  /**
   * Has the effect. It must write `rememberStatements(claim, …)` in the effect's batch. May throw when that batch loses a
   * race; the winner's result is then shown instead.
   */
  readonly execute: (claim: IdempotencyClaim, read: readonly D1Result[]) => Promise<Outcome<T>>;
  /** What the effect is decided on, read in one round trip with the Idempotency-Key; `execute` gets the results. */
  readonly reads?: (session: D1DatabaseSession) => readonly D1PreparedStatement[];
  /** The results of these, the Idempotency-Key's first, where they were read in one trip with the API key. */
  readonly readBeside?: readonly D1Result[] | null;
  /**
   * The whole effect is one batch, and `rememberStatements` stands in it before everything that an equal request could
   * make fail. D1 runs batches one after another: the second of two equal requests fails on the row and replays what
   * the first made. So it needs no lock.
   */
  readonly isOneBatch?: boolean;
  /**
   * Tries an effect of one batch before anything is read for it. Null or an exception when that was not possible;
   * `execute` then decides. Only its success reaches the caller.
   */
  readonly fastPath?: (claim: IdempotencyClaim) => Promise<T | null>;
  /** Reads what an earlier request made. */
  readonly replay: (resourceId: string) => Promise<Outcome<T>>;
}

export interface IdempotentResult<T> {
  readonly value: T;
  /** Whether an earlier request made the value. */
  readonly isReplay: boolean;
}

/**
 * Has an effect at most once for a workspace and the request's Idempotency-Key. The second of two equal requests waits
 * for the first; the same key with another method, path or body is a conflict. Failures are not remembered. Sets
 * `Idempotent-Replayed: true` on a replay.
 */
export async function withIdempotency<T>(
  c: Context<AppEnv>,
  effect: IdempotentEffect<T>,
): Promise<Outcome<IdempotentResult<T>>> {
  const { db } = requireCapability(c, "database");
  const { operation, idempotencyKey } = effect.identity ?? identityOf(c);
  const claim: IdempotencyClaim = {
    ...(effect.workspaceId === undefined ? byKey(c) : { workspaceId: effect.workspaceId, apiKeyId: null }),
    idempotencyKey,
    operation,
    requestHash: await hashRequest(operation, effect.body),
    nowMs: c.get("nowMs"),
  };

  const replayOf = async (
    remembered: IdempotencyRecord | null,
  ): Promise<Outcome<IdempotentResult<T>> | null> => {
    if (!remembered) return null;
    if (remembered.requestHash !== claim.requestHash) {
      return refuse(
        "IDEMPOTENCY_CONFLICT",
        "This Idempotency-Key was used with another method, path or body.",
      );
    }
    const replayed = await effect.replay(remembered.resourceId);
    if (!replayed.ok) return replayed;
    c.header("Idempotent-Replayed", "true");
    return accept({ value: replayed.value, isReplay: true });
  };

  const execute = async (): Promise<Outcome<IdempotentResult<T>>> => {
    const { readBeside = null } = effect;
    const fast = readBeside === null ? await tryFastPath(effect, claim) : null;
    if (fast !== null) return accept({ value: fast, isReplay: false });
    const { remembered, alongside: read } =
      readBeside === null ? await readFirst(db, claim, effect.reads) : toRecordWith(readBeside);
    const earlier = await replayOf(remembered);
    if (earlier) return earlier;
    try {
      const executed = await effect.execute(claim, read);
      if (executed.ok) return accept({ value: executed.value, isReplay: false });
      if (effect.isOneBatch !== true) return executed;
      // An equal request may have had its effect meanwhile, and have taken what this one is refused for.
      return (await replayOf(await findRecord(db, claim))) ?? executed;
    } catch (thrown) {
      // A key that has ended while its request waited gets nothing, not even what was made before.
      if (claim.apiKeyId !== null && isGuardViolation(thrown, "key_active")) return keyRevoked();
      // Either another request won the row, or the write was committed and its result lost: both read the same.
      const winner = await replayOf(await findRecord(db, claim));
      if (winner) return winner;
      throw thrown;
    }
  };
  return effect.isOneBatch === true ? execute() : whileLocked(c, claim, execute);
}

const identityOf = (c: Context<AppEnv>): RequestIdentity => ({
  operation: `${c.req.method} ${c.req.path}`,
  // Validated with `idempotencyHeaders`, which the route declares by `isIdempotent`.
  idempotencyKey: c.req.header("Idempotency-Key") ?? "",
});

function byKey(c: Context<AppEnv>) {
  const { workspaceId, apiKeyId } = c.get("principal");
  return { workspaceId, apiKeyId };
}

async function tryFastPath<T>(effect: IdempotentEffect<T>, claim: IdempotencyClaim): Promise<T | null> {
  try {
    return (await effect.fastPath?.(claim)) ?? null;
  } catch {
    // The row of an equal request, a stale assumption, or a fault, even after the commit: the next read tells.
    return null;
  }
}

/** What was done under the key, and the effect's own reads beside it. */
async function readFirst(
  db: D1Database,
  claim: IdempotencyClaim,
  reads: IdempotentEffect<unknown>["reads"],
): Promise<RecordWithReads> {
  if (reads === undefined) return { remembered: await findRecord(db, claim), alongside: [] };
  return findRecordWith(db, claim, reads);
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

type Lock = DurableObjectStub<import("#platform/durable-objects/idempotency-lock.ts").IdempotencyLock>;

/** True when the lock is held, or cannot be reached: the unique row in D1 holds the promise without it. */
async function acquire(c: Context<AppEnv>, lock: Lock, token: string): Promise<boolean> {
  try {
    return await lock.acquire(token, LIMITS.idempotencyWaitMsMax, LOCK_LEASE_MS);
  } catch (thrown) {
    log.failure(
      {
        event: "idempotency_lock_unreachable",
        operation: c.var.operation,
      },
      thrown,
    );
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
