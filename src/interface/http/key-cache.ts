import { createRecentKeys, type RecentKeys } from "#domains/keys/recent-keys.ts";
import { createRefusedKeys, type RefusedKeys } from "#domains/keys/refused-keys.ts";
import type { Capabilities } from "#platform/bindings/capabilities.ts";
import { oncePer } from "#platform/concurrency/once-per-object.ts";

const cacheOf = oncePer((_: object) => createRecentKeys());

/** The isolate's cache of keys for the origin's databases, all of them. */
export const recentKeysOf = (capabilities: Capabilities): RecentKeys =>
  cacheOf(capabilities.database?.databases ?? capabilities);

const refusedOf = oncePer((_: object) => createRefusedKeys());

/** The isolate's count of lookups for nothing, for the origin's databases. */
export const refusedKeysOf = (capabilities: Capabilities): RefusedKeys =>
  refusedOf(capabilities.database?.databases ?? capabilities);
