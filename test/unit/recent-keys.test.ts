import { describe, expect, it } from "vitest";
import { LIMITS } from "#api/limits.ts";
import type { FoundKey } from "#domains/keys/principal.ts";
import { createRecentKeys } from "#domains/keys/recent-keys.ts";

const START_MS = 1_000_000;

const keyOf = (apiKeyId: string): FoundKey => ({
  apiKeyId,
  workspaceId: "workspace",
  workspaceKind: "standard",
  secretHash: `hash of ${apiKeyId}`,
  scopes: [],
  livemode: true,
  lastUsedAt: null,
  expiresAt: null,
  revokedAt: null,
  workspaceExpiresAt: null,
  workspaceSuspendedAt: null,
  sessionId: null,
  sessionRole: null,
  agentAccountId: null,
  workspaceHome: null,
  workspaceMovingTo: null,
  workspaceMovingSince: null,
  home: "DB",
  holderAccountId: null,
});

describe("a key that was read", () => {
  it("is cached for ten seconds from its read, regardless of later lookups", () => {
    const keys = createRecentKeys();
    keys.keep("a", keyOf("one"), START_MS);
    for (let ms = 0; ms < LIMITS.keyMemoryMs; ms += 500) {
      keys.note("a", { ...keyOf("one"), lastUsedAt: START_MS + ms });
      expect(keys.find("a", START_MS + ms)?.lastUsedAt).toBe(START_MS + ms);
    }
    expect(keys.find("a", START_MS + LIMITS.keyMemoryMs)).toBeNull();
    keys.note("a", keyOf("one"));
    expect(keys.find("a", START_MS)).toBeNull();
  });

  it("is dropped permanently if the clock goes back", () => {
    const keys = createRecentKeys();
    keys.keep("a", keyOf("one"), START_MS);
    expect(keys.find("a", START_MS - 1)).toBeNull();
    expect(keys.find("a", START_MS)).toBeNull();
  });

  it("is dropped under each hash by which it was read", () => {
    const keys = createRecentKeys();
    keys.keep("under the old pepper", keyOf("one"), START_MS);
    keys.keep("under the new pepper", keyOf("one"), START_MS);
    keys.keep("b", keyOf("other"), START_MS);
    keys.delete("one");
    expect(keys.find("under the old pepper", START_MS)).toBeNull();
    expect(keys.find("under the new pepper", START_MS)).toBeNull();
    expect(keys.find("b", START_MS)?.apiKeyId).toBe("other");
  });
});

it("the cache has room for a thousand keys, and drops the least recently read one first", () => {
  const keys = createRecentKeys();
  for (let at = 0; at < 1_500; at += 1) {
    keys.keep(`${at}`, keyOf(`${at}`), START_MS);
    // Read key 0 repeatedly, so that it stays in the cache.
    keys.keep("0", keyOf("0"), START_MS);
  }
  const known = Array.from({ length: 1_500 }, (_, at) => keys.find(`${at}`, START_MS)).filter(Boolean);
  expect(known).toHaveLength(1_000);
  expect(keys.find("0", START_MS)).not.toBeNull();
  expect(keys.find("1", START_MS)).toBeNull();
});
