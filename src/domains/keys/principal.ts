import { type Refusal, refuse } from "#api/errors.ts";
import type { Scope } from "#api/scopes.ts";
import type { Home } from "#platform/databases/shard-name.ts";
import type { StoredKey } from "./store.ts";

/** The caller that an API key authenticates. */
export interface Principal {
  readonly apiKeyId: string;
  readonly workspaceId: string;
  readonly workspaceKind: "standard" | "trial";
  readonly scopes: readonly Scope[];
  /** False for a test key, which orders, reads and cancels only test jobs. */
  readonly livemode: boolean;
  /** The key's expiry, or null; keys that it creates expire no later. */
  readonly expiresAt: number | null;
  /**
   * Id under which rate limits count requests: the key's, or for a session key the account's, so that a new key does
   * not start a new window.
   */
  readonly countedAs: string;
  /** True for a session key, which cannot create keys. */
  readonly isOfSession: boolean;
  /** True for the access token of an agent's connection, which is valid only at `/mcp`. */
  readonly isOfAgent: boolean;
  /** The database of its workspace. */
  readonly home: Home;
  /** True while the workspace is being moved: it can be read but not written. */
  readonly isMoving: boolean;
}

/**
 * 403 SCOPE_MISSING for a key without the scope (API §5.3), otherwise null. `because` gives the reason when the route
 * alone does not imply the scope: "the body names assets".
 */
export const findScopeRefusal = ({ scopes }: Principal, scope: Scope, because?: string): Refusal | null =>
  scopes.includes(scope)
    ? null
    : refuse("SCOPE_MISSING", `The key lacks the scope ${scope}${because ? `, and ${because}` : ""}.`, {
        requiredScope: scope,
      });
/** A key, and its workspace's database, where it was found. */
export interface FoundKey extends StoredKey {
  readonly home: Home;
}

/** 403 TEST_KEY_REFUSED for a test key, otherwise null. For share links, image URLs, destinations and the audit log. */
export const refuseTestKey = ({ livemode }: Principal): Refusal | null =>
  livemode
    ? null
    : refuse(
        "TEST_KEY_REFUSED",
        "A test key has no share links, image URLs, destinations or audit log: those are of what is live.",
      );
