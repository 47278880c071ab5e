import { LRUCache } from "lru-cache";
import { LIMITS } from "#api/limits.ts";
import type { Home } from "#platform/databases/shard-name.ts";

/** The isolate's cache for image URLs. Loaded with the worker, so it imports no SQL. */

/** A secret for verifying URLs. */
export interface OpenSecret {
  readonly workspaceId: string;
  readonly imageSecretId: string;
  /** The database of its workspace. */
  readonly home: Home;
  readonly secret: string;
}

/** A stored image whose URL was verified. */
export interface VerifiedImage {
  readonly objectKey: string;
  readonly etag: string;
  readonly contentType: string;
  readonly expiresAtMs: number | null;
  /** The parameter `key`, which names the signing secret. */
  readonly key: string;
}

export interface RecentImages {
  /** Cached secrets by `key`; null for a missing secret. */
  readonly secrets: LRUCache<string, { readonly secret: OpenSecret | null; readonly readAtMs: number }>;
  /** Verified images by their whole URL. */
  readonly verified: LRUCache<string, VerifiedImage>;
}

/** Maximum number of cached secrets, about 300 KB. */
const SECRETS_MAX = 1_000;
/** Maximum total characters of the cached URLs, of one or two bytes each. */
const URL_CHARACTERS_MAX = 2_000_000;

export const createRecentImages = (): RecentImages => ({
  secrets: new LRUCache({ max: SECRETS_MAX }),
  verified: new LRUCache({ maxSize: URL_CHARACTERS_MAX, sizeCalculation: (_, url) => url.length }),
});

/** The secret of a `key`, if read within `LIMITS.imageSecretMemoryMs`; otherwise undefined. */
export function recentSecret(
  { secrets }: RecentImages,
  key: string,
  nowMs: number,
): OpenSecret | null | undefined {
  const known = secrets.get(key);
  const ageMs = nowMs - (known?.readAtMs ?? Number.NEGATIVE_INFINITY);
  return ageMs >= 0 && ageMs < LIMITS.imageSecretMemoryMs ? known?.secret : undefined;
}
