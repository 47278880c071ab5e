import { LRUCache } from "lru-cache";
import type { Auth } from "#domains/accounts/sign-in/auth.ts";
import { createRecentImages, type RecentImages } from "#domains/images/recent-images.ts";
import { createPreconditionCache, type PreconditionCache } from "#domains/jobs/precondition-cache.ts";
import { createRecentKeys, type RecentKeys } from "#domains/keys/recent-keys.ts";
import { createRefusedKeys, type RefusedKeys } from "#domains/keys/refused-keys.ts";
import { type Capabilities, readCapabilities } from "#platform/bindings/capabilities.ts";
import type { Env } from "#platform/bindings/env.ts";
import type { Home } from "#platform/databases/shard-name.ts";
import type { Outbox } from "../queue/enqueue-jobs.ts";

/**
 * The windows that this isolate was told are exhausted. Such a window stays so until it ends: who goes on sending
 * requests is refused without a call to its Durable Object, and without the reads beside it.
 */
interface ExhaustedWindowCache {
  /** When the window ends, in Unix ms; undefined where it is not known to be exhausted. */
  endOf(window: string, nowMs: number): number | undefined;
  add(window: string, endsAtMs: number): void;
}

/** About 100 KB. */
const WINDOWS_MAX = 1_000;

export function createExhaustedWindowCache(): ExhaustedWindowCache {
  const ends = new LRUCache<string, number>({ max: WINDOWS_MAX });
  return {
    endOf(window, nowMs) {
      const endsAtMs = ends.get(window);
      if (endsAtMs === undefined || nowMs < endsAtMs) return endsAtMs;
      ends.delete(window);
      return undefined;
    },
    add(window, endsAtMs) {
      ends.set(window, endsAtMs);
    },
  };
}

/**
 * What an isolate keeps between requests, made once and passed to each. Only copies and counts of this isolate: losing it
 * costs reads and never decides anything.
 */
export interface Isolate {
  readonly bindings: Env;
  /** Of the origin, whose work is in `DB`; `capabilitiesAt` makes those of a shard. */
  readonly capabilities: Capabilities;
  readonly recentKeys: RecentKeys;
  /** Lookups of keys that found nothing, and wrong secrets of `GET /health/deep`. */
  readonly refusedKeys: RefusedKeys;
  readonly refusedHealthSecrets: RefusedKeys;
  /** Image URLs: secrets and images, and URLs that no secret has signed. */
  readonly recentImages: RecentImages;
  readonly refusedImageUrls: RefusedKeys;
  readonly exhaustedWindows: ExhaustedWindowCache;
  /** Requests that are counted in this isolate alone, by window. */
  readonly counts: LRUCache<string, { readonly used: number; readonly resetsAtMs: number }>;
  readonly preconditionCache: PreconditionCache;
  /** Render messages to be sent, by the database of their jobs. */
  readonly outboxAt: (home: Home) => Outbox;
  /** Whether the database answered when it was last asked. */
  readonly health: { atMs: number; isAnswering: boolean | null };
  /** The sign-in library, by origin. */
  readonly auth: Map<string, Auth>;
}

/** About 100 KB. */
const COUNTS_MAX = 1_000;

function createIsolate(bindings: Env): Isolate {
  const outboxes = new Map<Home, Outbox>();
  return {
    bindings,
    capabilities: readCapabilities(bindings),
    recentKeys: createRecentKeys(),
    refusedKeys: createRefusedKeys(),
    refusedHealthSecrets: createRefusedKeys(),
    recentImages: createRecentImages(),
    refusedImageUrls: createRefusedKeys(),
    exhaustedWindows: createExhaustedWindowCache(),
    counts: new LRUCache({ max: COUNTS_MAX }),
    preconditionCache: createPreconditionCache(),
    outboxAt: (home) => {
      const outbox = outboxes.get(home) ?? { waiting: [], sendingSinceMs: null };
      outboxes.set(home, outbox);
      return outbox;
    },
    health: { atMs: Number.NEGATIVE_INFINITY, isAnswering: null },
    auth: new Map(),
  };
}

const isolates = new WeakMap<Env, Isolate>();

/** The isolate's state, made at its first event. The platform passes one `env`; tests pass one for each process they play. */
export function isolateOf(bindings: Env): Isolate {
  const isolate = isolates.get(bindings) ?? createIsolate(bindings);
  isolates.set(bindings, isolate);
  return isolate;
}
