import type { Home } from "#platform/databases/shard-name.ts";
import type { StoredKey } from "./store.ts";

/** A key, and the database where it was found: that where its workspace lives. */
export interface FoundKey extends StoredKey {
  readonly home: Home;
}
