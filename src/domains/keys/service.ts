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
import { holderOfKey } from "./session-key-store.ts";
import { keyByHash, rehashKey, touchKey } from "./store.ts";

/** Minimum interval between writes of `last_used_at`, which is only shown to people. */
const LAST_USED_PRECISION_MS = 60_000;

/** A database of keys, and the pepper that hashes new ones. */
export interface KeyDatabase {
  readonly db: D1Database;
  /** The database's shard, which secrets of new keys name; `DB` when absent. */
  readonly home?: Home;
  readonly keyPepper: string;
  /** Secret for the check of new keys. Without it they have a CRC-32, so invented keys must be looked up. */
  readonly keyCheckSecret?: string | null;
}

/** Configuration of authentication, with the second pepper and check secret that are accepted during a rotation. */
export interface KeyVerification {
  readonly databases: Databases;
  readonly keyPepper: string;
  readonly keyPepperPrevious: string | null;
  readonly keyCheckSecret?: string | null;
  readonly keyCheckSecretPrevious?: string | null;
}

/** The isolate's key cache, and whether it may answer this request. */
export interface KeyMemory {
  readonly recentKeys: RecentKeys;
  readonly mayUseCache: boolean;
  /**
   * Whether the request may write. If so, a shard's session key is always read, because sessions end in `DB` and the
   * shard's mirror may lag.
   */
  readonly mayWrite?: boolean;
  /** Called with the principal of a cached key that is still valid. If it refuses, the key is not read again. */
  readonly refusal?: (principal: Principal) => Refusal | null;
  /** Counts refused lookups, by the client's `network`; nothing is counted when absent. */
  readonly refused?: { readonly keys: RefusedKeys; readonly network: string };
}

/**
 * Statements of a request that run in the same round trip as the key's lookup. They find the workspace by the secret
 * (`workspaceOfSecret`), and find nothing for an invalid key.
 */
export interface ReadsBesideKey {
  readonly ofSecret: (db: Preparer, hashes: KeyHashes) => readonly D1PreparedStatement[];
}

/** The authenticated caller, with the results of the reads beside its key. */
export interface Authenticated {
  readonly principal: Principal;
  /** Results of the reads beside the key; null when the key was cached or no reads were passed. */
  readonly beside: readonly D1Result[] | null;
}

/** 401: the key was revoked, before the request or during it. */
export const keyRevoked = (): Refusal => refuse("KEY_REVOKED", "This API key was revoked.");

const agentEnded = (): Refusal =>
  refuse("KEY_REVOKED", "The person who connected this agent no longer owns the workspace.", {
    nextAction: "Ask an owner of the workspace to connect the agent.",
  });

const sessionEnded = (): Refusal =>
  refuse("KEY_REVOKED", "The session of this API key has ended, or the account has lost its role.", {
    nextAction: "Sign in, and ask for another key of the session.",
  });

/** The stored hash of a secret. */
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
 * The key whose secret has one of the hashes. Looks in the database that the secret names; a row there may point to the
 * database to which the workspace has moved. Null when there is no key or its database is not bound.
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

const hasHolder = ({ sessionId, agentAccountId }: FoundKey): boolean =>
  sessionId !== null || agentAccountId !== null;

const isHeldOnShard = (key: FoundKey): boolean => hasHolder(key) && key.home !== DIRECTORY;

/** Reads the holder from `DB`: a shard only mirrors sessions and members. */
async function withHolder({ directory }: Databases, key: FoundKey): Promise<FoundKey> {
  if (!isHeldOnShard(key)) return key;
  const holder = await holderOfKey.first(
    latest(directory),
    pick(key, "sessionId", "agentAccountId", "workspaceId", "sessionRole"),
  );
  return { ...key, holderAccountId: holder?.accountId ?? null };
}

/**
 * The key of a secret, from the cache if it may answer, otherwise from the database. Keys of workspaces that are to be
 * moved are not cached, because they would be looked up in the old database.
 */
async function findKey(
  { databases, keyPepperPrevious }: KeyVerification,
  { secret, home }: { readonly secret: string; readonly home: Home },
  presentHash: string,
  nowMs: number,
  { recentKeys, mayUseCache, mayWrite = false }: KeyMemory,
  reads: ReadsBesideKey | null,
): Promise<(KeyAndMore & { readonly isRead: boolean }) | null> {
  const remembered = mayUseCache ? recentKeys.find(presentHash, nowMs) : null;
  if (remembered !== null && !(mayWrite && isHeldOnShard(remembered))) {
    return { key: remembered, beside: null, isRead: false };
  }
  const previousHash = keyPepperPrevious === null ? null : await hashSecret(keyPepperPrevious, secret);
  const found = await readKeyAtHome(databases, home, { presentHash, previousHash }, reads);
  if (found === null) return null;
  const key = await withHolder(databases, found.key);
  if (key.workspaceMovingTo === null && key.workspaceMovingSince === null) {
    recentKeys.keep(presentHash, key, nowMs);
  }
  // A mirror may lag: drop the reads that relied on it.
  return { key, beside: isHeldOnShard(key) ? null : found.beside, isRead: true };
}

/**
 * Authenticates a secret. Refuses with KEY_INVALID (without a read for a wrong format or check), KEY_REVOKED,
 * KEY_EXPIRED or WORKSPACE_INACTIVE, and with RATE_LIMITED after too many refused lookups. The lookup is by hash, so
 * timing leaks nothing about secrets. A key stored under the previous pepper is rehashed under the current one. `defer`
 * runs work that the response does not wait for.
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
  const mayBeMadeUp = !form.hasCurrentCheck && !recentKeys.wasFound(presentHash);
  const full =
    refused?.keys.refusal(presentHash, nowMs) ??
    (mayBeMadeUp ? refused?.keys.refusal(refused.network, nowMs) : null);
  if (full) return full;
  const remembered = recentKeys.find(presentHash, nowMs);
  const early =
    remembered && findEndedRefusal(remembered, nowMs) === null
      ? memory.refusal?.(principalOf(remembered))
      : null;
  if (early) return early;
  const presented = { secret, home: form.home };
  const found = await findKey(verification, presented, presentHash, nowMs, memory, reads);
  if (!found) {
    const unknown = refuse("KEY_INVALID", "No such API key.");
    if (form.hasCurrentCheck) refused?.keys.count(presentHash, nowMs, unknown);
    else refused?.keys.count(refused.network, nowMs);
    return unknown;
  }
  const ended = findEndedRefusal(found.key, nowMs);
  if (ended === null) return accept(admitKey(verification, found, presentHash, nowMs, defer, memory));
  if (found.isRead) refused?.keys.count(presentHash, nowMs, ended);
  return ended;
}

/** The refusal of a key that is no longer valid; null for a valid key. */
function findEndedRefusal(key: FoundKey, nowMs: number): Refusal | null {
  if (key.revokedAt !== null) return keyRevoked();
  if (hasHolder(key) && key.holderAccountId === null) {
    return key.sessionId === null ? agentEnded() : sessionEnded();
  }
  if (key.workspaceSuspendedAt !== null) {
    return refuse("WORKSPACE_INACTIVE", "The workspace of this API key is suspended.", {
      nextAction: "Ask the operator of this service.",
    });
  }
  // Checked before the key's own expiry: a trial's key expires at the same time, and this error's next action is more
  // useful.
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
  countedAs: key.sessionId === null ? key.apiKeyId : (key.holderAccountId ?? key.apiKeyId),
  isOfSession: key.sessionId !== null,
  isOfAgent: key.agentAccountId !== null,
  isMoving: key.workspaceMovingSince !== null,
});

/** The principal of a valid key; records its use. */
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
 * Writes the time of use, and the hash under the current pepper if it changed. A failed write is logged and repeated at
 * a later use.
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
