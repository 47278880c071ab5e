import { LRUCache } from "lru-cache";
import { LIMITS } from "#api/limits.ts";
import type { FoundKey } from "./principal.ts";

/**
 * The keys that this isolate has read lately, so that a caller who polls is not looked up each time. Only keys that
 * exist stand here, as they were when they were read; whoever uses one looks at its times again. What is older than
 * `LIMITS.keyMemoryMs` is read anew: for so long at most, an isolate that did not see a revocation lets reads through.
 */
export interface RecentKeys {
  /** The key of that hash, if it was read lately. */
  find(secretHash: string, nowMs: number): FoundKey | null;
  /** Whether a key of that hash was ever read, as far back as the memory goes. */
  wasFound(secretHash: string): boolean;
  /** Remembers a key as it was read by a request of that time. */
  keep(secretHash: string, key: FoundKey, nowMs: number): void;
  /** Changes what is remembered of a key, which grows no younger by it. */
  note(secretHash: string, key: FoundKey): void;
  /** Deletes a key that this isolate has revoked. */
  delete(apiKeyId: string): void;
  /** Deletes the keys of an account's sessions, one of which this isolate has ended. */
  deleteOfAccount(accountId: string): void;
}

interface Kept {
  readonly key: FoundKey;
  readonly readAtMs: number;
}

/** About 300 KB of keys. */
const KEYS_MAX = 1_000;
/** Their hashes stay longer: about a megabyte of them. */
const HASHES_MAX = 10_000;

export function createRecentKeys(): RecentKeys {
  const kept = new LRUCache<string, Kept>({ max: KEYS_MAX });
  const found = new LRUCache<string, true>({ max: HASHES_MAX });
  const deleteWhere = (isDeleted: (key: FoundKey) => boolean) => {
    for (const [secretHash, { key }] of kept.entries()) if (isDeleted(key)) kept.delete(secretHash);
  };
  return {
    find(secretHash, nowMs) {
      const known = kept.get(secretHash);
      if (known === undefined) return null;
      const ageMs = nowMs - known.readAtMs;
      // A clock that steps back says nothing of how old it is.
      if (ageMs >= 0 && ageMs < LIMITS.keyMemoryMs) return known.key;
      kept.delete(secretHash);
      return null;
    },
    wasFound: (secretHash) => found.has(secretHash),
    keep(secretHash, key, nowMs) {
      found.set(secretHash, true);
      kept.set(secretHash, { key, readAtMs: nowMs });
    },
    note(secretHash, key) {
      const known = kept.get(secretHash);
      if (known !== undefined) kept.set(secretHash, { ...known, key });
    },
    delete(apiKeyId) {
      deleteWhere((key) => key.apiKeyId === apiKeyId);
    },
    deleteOfAccount(accountId) {
      deleteWhere(({ holderAccountId }) => holderAccountId === accountId);
    },
  };
}
