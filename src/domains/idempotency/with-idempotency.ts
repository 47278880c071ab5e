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
 * Longer than a request runs; a crashed request loses its lock after this time. A preview may wait longer for the
 * renderer and lose its lock; the unique row and the quota reservation still prevent a second effect.
 */
const LOCK_LEASE_MS = 30_000;

type LockObjects = NonNullable<Env["IDEMPOTENCY_LOCK"]>;

/** The locks of Idempotency-Keys, and the function that defers a release past the response. */
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
  /** The validated body; a retry must send the same one. */
  readonly body: unknown;
}

/** An effect and how to replay it. */
export interface IdempotentEffect<T, Facts> {
  /**
   * Null for an effect of one batch in which `rememberStatements` precedes every statement that an identical request
   * could make fail. D1 runs batches one after another, so the second of two identical requests fails on the row and
   * replays the first's result without a lock.
   */
  readonly locks: IdempotencyLocks | null;
  /** The session that `execute` writes in; the response carries its bookmark. */
  readonly writes?: D1DatabaseSession;
  /** Reads the key's record and the facts that the effect depends on, in one round trip. */
  readonly read: (claim: IdempotencyClaim) => Promise<RecordAndFacts<Facts>>;
  /**
   * Executes the effect. Must write `rememberStatements(claim, …)` in the effect's batch. May throw when another
   * request's batch came first; that request's result is then returned.
   */
  readonly execute: (claim: IdempotencyClaim, facts: Facts) => Promise<Outcome<T>>;
  /**
   * Tries an effect of one batch without reading anything first. If it returns null or throws, the normal path with
   * `execute` follows.
   */
  readonly fastPath?: ((claim: IdempotencyClaim) => Promise<T | null>) | undefined;
  /**
   * Whether a record was written by a request that began the effect but did not complete it. There is no result to
   * replay then: `execute` continues or refuses, and replaces the row (`begunAs`).
   */
  readonly isBegun?: (record: IdempotencyRecord) => boolean;
  /** Reads the resource of an earlier request. */
  readonly replay: (resourceId: string) => Promise<Outcome<T>>;
}

/** A created or replayed value. */
export interface IdempotentResult<T> {
  readonly value: T;
  /** Whether an earlier request created the value. */
  readonly isReplay: boolean;
  /** D1's bookmark after the write, if the effect has a session. */
  readonly bookmark: string | null;
}

/**
 * Executes an effect at most once per workspace and Idempotency-Key. The second of two identical requests waits for the
 * first; the same key with another operation or body is a conflict. Failures are not recorded.
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
    // An identical request may have succeeded meanwhile and caused this refusal.
    return (await replayOf(effect, claim, await findRecord(db, claim))) ?? executed;
  } catch (thrown) {
    // A key revoked during the request gets nothing, not even a replay.
    if (claim.apiKeyId !== null && isGuardViolation(thrown, "key_active")) return keyRevoked();
    // Another request inserted the row first, or this one did and its response was lost. The row has the result in both
    // cases.
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
    // Any failure, possibly after the commit. The caller reads the record next and decides from it.
    return null;
  }
}

/** 409 IDEMPOTENCY_CONFLICT: another request has used the key. */
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

/** Runs the work under the key's lock; 409 IDEMPOTENCY_IN_PROGRESS when the lock is not free in time. */
async function whileLocked<T>(
  { objects, operation, defer }: IdempotencyLocks,
  { workspaceId, idempotencyKey }: IdempotencyClaim,
  work: () => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  const lock = objects.get(objects.idFromName(`${workspaceId}:${idempotencyKey}`));
  const token = newId();
  if (!(await acquire(lock, token, operation))) {
    return refuse(
      "IDEMPOTENCY_IN_PROGRESS",
      "The first request with this Idempotency-Key is still in progress.",
    );
  }
  try {
    return await work();
  } finally {
    defer(release(lock, token));
  }
}

type Lock = ReturnType<LockObjects["get"]>;

/** True when the lock was acquired or is unreachable; the unique row in D1 suffices without it. */
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
    // The lease expires anyway.
  }
}
