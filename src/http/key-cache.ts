import type { Capabilities } from "../bindings/capabilities.ts";
import { createRecentKeys, type RecentKeys } from "../keys/recent-keys.ts";
import { oncePer } from "../platform/once-per.ts";

const cacheOf = oncePer((_: object) => createRecentKeys());

/** The isolate's cache of keys for the origin's databases, all of them. */
export const recentKeysOf = (capabilities: Capabilities): RecentKeys =>
  cacheOf(capabilities.database?.databases ?? capabilities);
