import { accept, type Outcome, type Refusal, refuse } from "#api/errors.ts";
import { LIMITS } from "#api/limits.ts";
import type { Env } from "#platform/bindings/env.ts";
import { isGuardViolation } from "#platform/db/batch-guard.ts";
import { newId } from "#platform/ids.ts";
import { log } from "#platform/log/log.ts";
import { keyRevoked } from "../keys/service.ts";
import { hashRequest, type IdempotencyClaim } from "./claim.ts";
import { findRecord, type IdempotencyRecord, type RecordAndFacts } from "./store.ts";

/**
 * Longer than a request runs; afterwards the lock of a crashed request is free again. A preview may wait longer for the
 * renderer and lose its lock; the unique row and its own reservation still make it happen once.
 */
const LOCK_LEASE_MS = 30_000;

type LockObjects = NonNullable<Env["IDEMPOTENCY_LOCK"]>;

/** The locks of the Idempotency-Keys, and what releases one after the answer. */
export interface IdempotencyLocks {
  readonly objects: LockObjects;
  /** The operation's id in logs. */
  readonly operation: string;
  readonly defer: (work: Promise<void>) => void;
}

/** Identity of a request: `POST /api/v1/jobs` and the caller's key. */
export type RequestIdentity = Pick<IdempotencyClaim, "operation" | "idempotencyKey">;

export interface IdempotentRequest {
  readonly caller: Pick<IdempotencyClaim, "workspaceId" | "apiKeyId" | "nowMs">;
  readonly identity: RequestIdentity;
  /** The validated body; it belongs to what a repeated request must have in common. */
  readonly body: unknown;
}

/** An effect and how to show it again. */
export interface IdempotentEffect<T, Facts> {
  /**
   * Null for an effect of one batch in which `rememberStatements` comes before everything that an equal request could make
   * fail. D1 runs batches one after another: the second of two equal requests fails on the row and replays what the first
   * made. So it needs no lock.
   */
  readonly locks: IdempotencyLocks | null;
  /** The session that `execute` writes in: its bookmark is shown. */
  readonly writes?: D1DatabaseSession;
  /** Reads in one round trip what was done under the key and what the effect is decided on. */
  readonly read: (claim: IdempotencyClaim) => Promise<RecordAndFacts<Facts>>;
  /**
   * Has the effect. It must write `rememberStatements(claim, …)` in the effect's batch. May throw when that batch loses a
   * race; the winner's result is then shown instead.
   */
  readonly execute: (claim: IdempotencyClaim, facts: Facts) => Promise<Outcome<T>>;
  /**
   * Tries an effect of one batch before anything is read for it. Null or an exception when that was not possible;
   * `execute` then decides. Only its success reaches the caller.
   */
  readonly fastPath?: ((claim: IdempotencyClaim) => Promise<T | null>) | undefined;
  /**
   * Whether a row is of a request that has begun what its effect needs and has not had the effect. It is no result: `execute`
   * then continues, or refuses, and replaces the row (`begunAs`).
   */
  readonly isBegun?: (record: IdempotencyRecord) => boolean;
  /** Reads what an earlier request made. */
  readonly replay: (resourceId: string) => Promise<Outcome<T>>;
}

/** A value that was made, or shown again. */
export interface IdempotentResult<T> {
  readonly value: T;
  /** Whether an earlier request made the value. */
  readonly isReplay: boolean;
  /** The state of the database that was written (D1's bookmark), where the effect has a session. */
  readonly bookmark: string | null;
}

/**
 * Has an effect at most once for a workspace and an Idempotency-Key. The second of two equal requests waits for the first;
 * the same key with another operation or body is a conflict. Failures are not remembered.
 */
export async function withIdempotency<T, Facts>(
  db: D1Database,
  { caller: { workspaceId, apiKeyId, nowMs }, identity, body }: IdempotentRequest,
  effect: IdempotentEffect<T, Facts>,
): Promise<Outcome<IdempotentResult<T>>> {
  const requestHash = await hashRequest(identity.operation, body);
  const claim = { workspaceId, apiKeyId, nowMs, ...identity, requestHash };
  const work = () => executeOrReplay(db, claim, effect);
  return effect.locks === null ? work() : whileLocked(effect.locks, claim, work);
}

async function executeOrReplay<T, Facts>(
  db: D1Database,
  claim: IdempotencyClaim,
  effect: IdempotentEffect<T, Facts>,
): Promise<Outcome<IdempotentResult<T>>> {
  const made = (value: T) => ({ value, isReplay: false, bookmark: effect.writes?.getBookmark() ?? null });
  const fast = await tryFastPath(effect, claim);
  if (fast !== null) return accept(made(fast));
  const { remembered, facts } = await effect.read(claim);
  const earlier = await replayOf(effect, claim, remembered);
  if (earlier) return earlier;
  try {
    const executed = await effect.execute(claim, facts);
    if (executed.ok) return accept(made(executed.value));
    if (effect.locks !== null) return executed;
    // An equal request may have had its effect meanwhile, and have taken what this one is refused for.
    return (await replayOf(effect, claim, await findRecord(db, claim))) ?? executed;
  } catch (thrown) {
    // A key that has ended while its request waited gets nothing, not even what was made before.
    if (claim.apiKeyId !== null && isGuardViolation(thrown, "key_active")) return keyRevoked();
    // Either another request won the row, or the write was committed and its result lost: both read the same.
    const record = await findRecord(db, claim);
    const winner = await replayOf(effect, claim, record);
    if (winner) return winner;
    if (record !== null && record.requestHash !== claim.requestHash) return keyConflict();
    throw thrown;
  }
}

async function tryFastPath<T>(
  { fastPath }: Pick<IdempotentEffect<T, never>, "fastPath">,
  claim: IdempotencyClaim,
): Promise<T | null> {
  try {
    return (await fastPath?.(claim)) ?? null;
  } catch {
    // The row of an equal request, a stale assumption, or a fault, even after the commit: the next read tells.
    return null;
  }
}

/** 409 IDEMPOTENCY_CONFLICT: the key belongs to another request. */
export const keyConflict = (): Refusal =>
  refuse(
    "IDEMPOTENCY_CONFLICT",
    "This Idempotency-Key was used with another method, path or body, or with a key of the other mode.",
  );

async function replayOf<T>(
  effect: Pick<IdempotentEffect<T, never>, "replay" | "isBegun">,
  claim: IdempotencyClaim,
  remembered: IdempotencyRecord | null,
): Promise<Outcome<IdempotentResult<T>> | null> {
  if (!remembered || effect.isBegun?.(remembered)) return null;
  if (remembered.requestHash !== claim.requestHash) return keyConflict();
  const replayed = await effect.replay(remembered.resourceId);
  return replayed.ok ? accept({ value: replayed.value, isReplay: true, bookmark: null }) : replayed;
}

/** Does the work while no other request works under the key; 409 IDEMPOTENCY_IN_PROGRESS when that takes too long. */
async function whileLocked<T>(
  { objects, operation, defer }: IdempotencyLocks,
  { workspaceId, idempotencyKey }: IdempotencyClaim,
  work: () => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  const lock = objects.get(objects.idFromName(`${workspaceId}:${idempotencyKey}`));
  const token = newId();
  if (!(await acquire(lock, token, operation))) {
    return refuse("IDEMPOTENCY_IN_PROGRESS", "The first request with this Idempotency-Key is still at work.");
  }
  try {
    return await work();
  } finally {
    defer(release(lock, token));
  }
}

type Lock = ReturnType<LockObjects["get"]>;

/** True when the lock is held, or cannot be reached: the unique row in D1 keeps the promise without it. */
async function acquire(lock: Lock, token: string, operation: string): Promise<boolean> {
  try {
    return await lock.acquire(token, LIMITS.idempotencyWaitMsMax, LOCK_LEASE_MS);
  } catch (thrown) {
    log.failure({ event: "idempotency_lock_unreachable", operation }, thrown);
    return true;
  }
}

async function release(lock: Lock, token: string): Promise<void> {
  try {
    await lock.release(token);
  } catch {
    // The lease ends without it.
  }
}
