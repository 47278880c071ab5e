import { type Refusal, refuse } from "#api/errors.ts";
import type { Scope } from "#api/scopes.ts";
import type { Home } from "#platform/databases/shard-name.ts";
import type { StoredKey } from "./store.ts";

/** The authenticated caller of an API key. */
export interface Principal {
  readonly apiKeyId: string;
  readonly workspaceId: string;
  readonly workspaceKind: "standard" | "trial";
  readonly scopes: readonly Scope[];
  /** False for a test key, which orders, reads and cancels only test jobs. */
  readonly livemode: boolean;
  /** When the key ends, if it does: what it makes ends with it. */
  readonly expiresAt: number | null;
  /** Whom its requests are counted for: the key, or the account of a session's key, so that a new one begins no window. */
  readonly countedAs: string;
  /** Whether it is a session's key, which makes no keys. */
  readonly isOfSession: boolean;
  /** Whether it is the access token of an agent's connection, which is valid only at `/mcp`. */
  readonly isOfAgent: boolean;
  /** The database where its workspace lives. */
  readonly home: Home;
  /** Whether the workspace is being moved, so that it can be read and not written. */
  readonly isMoving: boolean;
}

/**
 * 403 SCOPE_MISSING for a key without the scope (API §5.3), otherwise null. `because` tells why the request needs it, where
 * its route alone does not: "the body names assets".
 */
export const findScopeRefusal = ({ scopes }: Principal, scope: Scope, because?: string): Refusal | null =>
  scopes.includes(scope)
    ? null
    : refuse("SCOPE_MISSING", `The key lacks the scope ${scope}${because ? `, and ${because}` : ""}.`, {
        requiredScope: scope,
      });
/** A key, and the database where it was found: that where its workspace lives. */
export interface FoundKey extends StoredKey {
  readonly home: Home;
}

/** 403 TEST_KEY_REFUSED for a test key, otherwise null: of share links, image URLs, destinations and the audit log. */
export const refuseTestKey = ({ livemode }: Principal): Refusal | null =>
  livemode
    ? null
    : refuse(
        "TEST_KEY_REFUSED",
        "A test key has no share links, image URLs, destinations or audit log: those are of what is live.",
      );
