import { LRUCache } from "lru-cache";
import { LIMITS } from "#api/limits.ts";
import type { FoundKey } from "./principal.ts";

/**
 * Keys that this isolate read within the last `LIMITS.keyMemoryMs`, so that a polling caller costs no lookup. Only
 * existing keys are cached, as they were read; callers check their expiry. An isolate that missed a revocation allows
 * reads for that long at most.
 */
export interface RecentKeys {
  /** The key with that hash, if it was read recently. */
  find(secretHash: string, nowMs: number): FoundKey | null;
  /** Whether a key with that hash was ever read, even if the key is no longer cached. */
  wasFound(secretHash: string): boolean;
  /** Caches a key read by a request at `nowMs`. */
  keep(secretHash: string, key: FoundKey, nowMs: number): void;
  /** Changes a cached key without extending its lifetime. */
  note(secretHash: string, key: FoundKey): void;
  delete(apiKeyId: string): void;
  /** Deletes the session keys of an account after this isolate ended one of its sessions. */
  deleteOfAccount(accountId: string): void;
}

interface Kept {
  readonly key: FoundKey;
  readonly readAtMs: number;
}

/** Maximum number of cached keys, about 300 KB. */
const KEYS_MAX = 1_000;
/** Maximum number of hashes for `wasFound`, about a megabyte. They are kept longer than the keys. */
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
      // If the clock went backwards, the entry's age is unknown.
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
