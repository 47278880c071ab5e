import { accept, type Outcome, type Refusal, refuse } from "#api/errors.ts";
import { hmacSha256Hex } from "#platform/crypto/hashing.ts";
import { type Databases, databaseOf } from "#platform/databases/databases.ts";
import { DIRECTORY, type Home, readHome, SHARDS_MAX } from "#platform/databases/shard-name.ts";
import { latest } from "#platform/db/reader.ts";
import type { Preparer } from "#platform/db/statement.ts";
import { log } from "#platform/log/log.ts";
import { pick } from "#platform/pick-members.ts";
import type { FoundKey, Principal } from "./principal.ts";
import type { RecentKeys } from "./recent-keys.ts";
import type { RefusedKeys } from "./refused-keys.ts";
import { readSecret } from "./secret.ts";
import { holderOfSession } from "./session-key-store.ts";
import { keyByHash, rehashKey, touchKey } from "./store.ts";

/** `last_used_at` is written at most this often: it is for people, and a write a request would be waste. */
const LAST_USED_PRECISION_MS = 60_000;

/** Where keys are stored, and the pepper under which new ones are hashed. */
export interface KeyDatabase {
  readonly db: D1Database;
  /** Which database that is, for the secrets of new keys; `DB` where it is not said. */
  readonly home?: Home;
  readonly keyPepper: string;
  /** Makes the check of new keys; without it they have a CRC, and are looked up whoever has made them up. */
  readonly keyCheckSecret?: string | null;
}

/** What authentication needs: also the second pepper that is accepted while the first is being changed. */
export interface KeyVerification {
  readonly databases: Databases;
  readonly keyPepper: string;
  readonly keyPepperPrevious: string | null;
  readonly keyCheckSecret?: string | null;
  readonly keyCheckSecretPrevious?: string | null;
}

/** What the isolate remembers of keys, and whether this request may be answered from it. */
export interface KeyMemory {
  readonly recentKeys: RecentKeys;
  readonly mayAnswer: boolean;
  /**
   * Whether the answer lets something be written. Then a session's key of a shard is read in any case: sessions end in
   * `DB`, and what the shard has of them is no exact guard.
   */
  readonly isForEffect?: boolean;
  /** What refuses a remembered live key before it is read again. */
  readonly refusal?: (principal: Principal) => Refusal | null;
  /** Counts lookups that are of no use; `network` is the client's. Not counted where it is absent. */
  readonly refused?: { readonly keys: RefusedKeys; readonly network: string };
}

/**
 * Reads of a request that go in the trip that reads its key. They find the workspace by the secret (`workspaceOfSecret`), and
 * nothing for a key that may not be used.
 */
export interface ReadsBesideKey {
  readonly ofSecret: (db: Preparer, hashes: KeyHashes) => readonly D1PreparedStatement[];
}

/** Who a secret speaks for. */
export interface Authenticated {
  readonly principal: Principal;
  /** The results of the reads beside the key; null where memory had the key, or nothing was asked for. */
  readonly beside: readonly D1Result[] | null;
}

/** 401: the key was revoked, before the request or while it was under way. */
export const keyRevoked = (): Refusal => refuse("KEY_REVOKED", "This API key was revoked.");

const sessionEnded = (): Refusal =>
  refuse("KEY_REVOKED", "The session of this API key has ended, or its person's role has.", {
    nextAction: "Sign in, and ask for another key of the session.",
  });

/** The stored form of a secret. */
export const hashSecret = (keyPepper: string, secret: string): Promise<string> =>
  hmacSha256Hex(keyPepper, secret);

export interface KeyHashes {
  readonly presentHash: string;
  readonly previousHash: string | null;
}

interface KeyAndMore {
  readonly key: FoundKey;
  readonly beside: readonly D1Result[] | null;
}

/**
 * The key of that hash, from the database that its secret names, or the one that its workspace has moved to since: what it
 * has left behind says where. Null where there is none, or its database is not bound.
 */
async function readKeyAtHome(
  databases: Databases,
  from: Home,
  hashes: KeyHashes,
  reads: ReadsBesideKey | null,
): Promise<KeyAndMore | null> {
  let home = from;
  for (let moves = 0; moves <= SHARDS_MAX; moves += 1) {
    const db = databaseOf(databases, home);
    const { key, beside } = db === null ? NO_KEY : await readKeyWith(latest(db), hashes, reads);
    if (key === null) return null;
    if (key.workspaceHome === null) return { key: { ...key, home }, beside };
    home = readHome(key.workspaceHome);
  }
  throw new Error("a workspace that has moved in a circle");
}

const NO_KEY = { key: null, beside: null };

async function readKeyWith(session: D1DatabaseSession, hashes: KeyHashes, reads: ReadsBesideKey | null) {
  if (reads === null) return { key: await keyByHash.first(session, hashes), beside: null };
  const statements = [keyByHash.bind(session, hashes), ...reads.ofSecret(session, hashes)];
  const [key, ...beside] = await session.batch(statements);
  return { key: keyByHash.row(key), beside };
}

const isSessionOfShard = ({ sessionId, home }: FoundKey): boolean => sessionId !== null && home !== DIRECTORY;

/** Sessions are in `DB`; what a shard has of them is a mirror. */
async function withHolder({ directory }: Databases, key: FoundKey): Promise<FoundKey> {
  if (key.sessionId === null || !isSessionOfShard(key)) return key;
  const { sessionId, workspaceId, sessionRole } = key;
  const holder = await holderOfSession.first(latest(directory), { sessionId, workspaceId, sessionRole });
  return { ...key, holderAccountId: holder?.accountId ?? null };
}

/**
 * The key of a secret: from memory where that may answer, else from the database, and then remembered. Keys of workspaces
 * that are to be moved are not remembered, as they would be looked for where they were.
 */
async function findKey(
  { databases, keyPepperPrevious }: KeyVerification,
  { secret, home }: { readonly secret: string; readonly home: Home },
  presentHash: string,
  nowMs: number,
  { recentKeys, mayAnswer, isForEffect = false }: KeyMemory,
  reads: ReadsBesideKey | null,
): Promise<(KeyAndMore & { readonly isRead: boolean }) | null> {
  const remembered = mayAnswer ? recentKeys.find(presentHash, nowMs) : null;
  if (remembered !== null && !(isForEffect && isSessionOfShard(remembered))) {
    return { key: remembered, beside: null, isRead: false };
  }
  const previousHash = keyPepperPrevious === null ? null : await hashSecret(keyPepperPrevious, secret);
  const found = await readKeyAtHome(databases, home, { presentHash, previousHash }, reads);
  if (found === null) return null;
  const key = await withHolder(databases, found.key);
  if (key.workspaceMovingTo === null && key.workspaceMovingSince === null) {
    recentKeys.keep(presentHash, key, nowMs);
  }
  // A mirror may lag: whether it has the session decides nothing.
  return { key, beside: isSessionOfShard(key) ? null : found.beside, isRead: true };
}

/**
 * Who a secret speaks for. KEY_INVALID, KEY_REVOKED, KEY_EXPIRED or WORKSPACE_INACTIVE otherwise. A key whose form or check
 * is wrong is refused without a read; RATE_LIMITED after too many lookups for nothing. The lookup is by hash, so that no
 * comparison of secrets happens whose time could tell something. A key still stored under the previous pepper is stored
 * anew under the present one. `defer` takes work that the answer does not wait for.
 */
export async function authenticateSecret(
  verification: KeyVerification,
  secret: string,
  nowMs: number,
  defer: (work: Promise<void>) => void,
  memory: KeyMemory,
  reads: ReadsBesideKey | null = null,
): Promise<Outcome<Authenticated>> {
  const { keyCheckSecret = null, keyCheckSecretPrevious = null } = verification;
  const form = readSecret(secret, keyCheckSecret, keyCheckSecretPrevious);
  if (form === null || databaseOf(verification.databases, form.home) === null) {
    return refuse("KEY_INVALID", "This is not an API key of this service.");
  }
  const presentHash = await hashSecret(verification.keyPepper, secret);
  const { refused, recentKeys } = memory;
  const mayBeMadeUp = !form.isVouched && !recentKeys.wasFound(presentHash);
  const full =
    refused?.keys.refusal(presentHash, nowMs) ??
    (mayBeMadeUp ? refused?.keys.refusal(refused.network, nowMs) : null);
  if (full) return full;
  const remembered = recentKeys.find(presentHash, nowMs);
  const early =
    remembered && endOf(remembered, nowMs) === null ? memory.refusal?.(principalOf(remembered)) : null;
  if (early) return early;
  const presented = { secret, home: form.home };
  const found = await findKey(verification, presented, presentHash, nowMs, memory, reads);
  if (!found) {
    const unknown = refuse("KEY_INVALID", "No such API key.");
    if (form.isVouched) refused?.keys.count(presentHash, nowMs, unknown);
    else refused?.keys.count(refused.network, nowMs);
    return unknown;
  }
  const ended = endOf(found.key, nowMs);
  if (ended === null) return accept(admitKey(verification, found, presentHash, nowMs, defer, memory));
  if (found.isRead) refused?.keys.count(presentHash, nowMs, ended);
  return ended;
}

/** Why a key opens nothing any more; null for a live one. */
function endOf(key: FoundKey, nowMs: number): Refusal | null {
  if (key.revokedAt !== null) return keyRevoked();
  if (key.sessionId !== null && key.holderAccountId === null) return sessionEnded();
  if (key.workspaceSuspendedAt !== null) {
    return refuse("WORKSPACE_INACTIVE", "The workspace of this API key is suspended.", {
      nextAction: "Ask the operator of this service.",
    });
  }
  // Before the key's own expiry, which is the same moment for a trial's key: only this says what to do next.
  if (key.workspaceExpiresAt !== null && key.workspaceExpiresAt <= nowMs) {
    return refuse("WORKSPACE_INACTIVE", "The trial workspace of this API key has ended.");
  }
  if (key.expiresAt !== null && key.expiresAt <= nowMs) {
    return refuse("KEY_EXPIRED", "This API key has expired.");
  }
  return null;
}

const principalOf = (key: FoundKey): Principal => ({
  ...pick(key, "apiKeyId", "workspaceId", "workspaceKind", "scopes", "livemode", "expiresAt", "home"),
  countedAs: key.holderAccountId ?? key.apiKeyId,
  isOfSession: key.sessionId !== null,
  isMoving: key.workspaceMovingSince !== null,
});

/** The principal of a live key, whose use is noted. */
function admitKey(
  verification: KeyVerification,
  { key, beside }: KeyAndMore,
  presentHash: string,
  nowMs: number,
  defer: (work: Promise<void>) => void,
  memory: KeyMemory,
): Authenticated {
  const isStale = key.secretHash !== presentHash;
  const isMoving = key.workspaceMovingSince !== null;
  const db = databaseOf(verification.databases, key.home);
  const isUnnoted = isStale || key.lastUsedAt === null || key.lastUsedAt + LAST_USED_PRECISION_MS <= nowMs;
  if (isUnnoted && !isMoving && db !== null) {
    defer(noteUse(db, key.apiKeyId, isStale ? presentHash : null, nowMs));
    memory.recentKeys.note(presentHash, { ...key, secretHash: presentHash, lastUsedAt: nowMs });
  }
  return { principal: principalOf(key), beside };
}

/**
 * Writes the time of use, and the hash under the present pepper where the stored one is of another.
 * A write that fails is logged and made at a later use.
 */
async function noteUse(
  db: D1Database,
  apiKeyId: string,
  newHash: string | null,
  nowMs: number,
): Promise<void> {
  try {
    if (newHash === null) await touchKey.run(db, { apiKeyId, nowMs });
    else await rehashKey.run(db, { apiKeyId, secretHash: newHash, nowMs });
  } catch (thrown) {
    log.failure({ event: "key_use_not_noted", apiKeyId }, thrown);
  }
}
