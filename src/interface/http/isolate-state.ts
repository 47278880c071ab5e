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
 * Windows that this isolate knows to be exhausted. They stay exhausted until they end, so further requests are refused
 * without a call to the Durable Object and without the reads that run in parallel to it.
 */
interface ExhaustedWindowCache {
  /** When the window ends, in Unix ms; undefined if it is not known to be exhausted. */
  endOf(window: string, nowMs: number): number | undefined;
  add(window: string, endsAtMs: number): void;
}

/** With so many entries the cache takes about 100 KB. */
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
 * State that an isolate keeps between requests. It contains only copies and counts: losing it costs reads but changes
 * no decision.
 */
export interface Isolate {
  readonly bindings: Env;
  /** Capabilities of the origin, with `DB`; `capabilitiesAt` returns a shard's. */
  readonly capabilities: Capabilities;
  readonly recentKeys: RecentKeys;
  /** Refused lookups of API keys, and wrong secrets sent to `GET /health/deep`. */
  readonly refusedKeys: RefusedKeys;
  readonly refusedHealthSecrets: RefusedKeys;
  /** Secrets and images of verified image URLs, and URLs with a wrong signature. */
  readonly recentImages: RecentImages;
  readonly refusedImageUrls: RefusedKeys;
  readonly exhaustedWindows: ExhaustedWindowCache;
  /** Requests counted in this isolate alone, by window. */
  readonly counts: LRUCache<string, { readonly used: number; readonly resetsAtMs: number }>;
  readonly preconditionCache: PreconditionCache;
  /** Unsent render messages, by the database of their jobs. */
  readonly outboxAt: (home: Home) => Outbox;
  /** Whether the database answered the last check. */
  readonly health: { atMs: number; isAnswering: boolean | null };
  /** Instances of better-auth, by origin. */
  readonly auth: Map<string, Auth>;
}

/** With so many entries the counts take about 100 KB. */
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

/**
 * The isolate's state, created at its first event. The platform passes one `env`; tests pass one per simulated process.
 */
export function isolateOf(bindings: Env): Isolate {
  const isolate = isolates.get(bindings) ?? createIsolate(bindings);
  isolates.set(bindings, isolate);
  return isolate;
}
