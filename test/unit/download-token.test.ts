import fc from "fast-check";
import { expect, it } from "vitest";
import { readGrant, signGrant } from "#domains/artifacts/download-token.ts";
import { TOKEN_CHARACTERS_MAX } from "#platform/crypto/signed-token.ts";

const KEYS = { current: "signing-key-one-0123456789abcdef01", previous: null };
const NOW_MS = 1_781_000_000_000;
const GRANT = {
  workspaceId: "0199f0c4-7b6e-7c3a-9b0e-2f5d1c8a4e71",
  artifactId: "0199f0c8-1c2a-7d10-8a55-6f0c3b9e2d14",
  fileId: "0199f0c7-c0de-7aa1-9d3e-41b2f5a60c77",
  expiresAtMs: NOW_MS + 300_000,
};

it("tokens name the shard of their workspace, with the same length limit", async () => {
  const token = await signGrant({ ...KEYS, home: "63" }, GRANT);
  expect(token.length).toBeLessThanOrEqual(TOKEN_CHARACTERS_MAX);
  expect(await readGrant(KEYS, token, NOW_MS)).toEqual({ ...GRANT, madeAt: "63" });
});

it("no input makes the verification of a token throw", async () => {
  const [keyId = "", payload = ""] = (await signGrant(KEYS, GRANT)).split(".");
  const part = fc.oneof(fc.constantFrom(keyId, payload, "", "A", "="), fc.string({ maxLength: 40 }));
  await fc.assert(
    fc.asyncProperty(fc.array(part, { maxLength: 5 }), async (parts) => {
      expect(await readGrant(KEYS, parts.join("."), NOW_MS)).toBeNull();
    }),
    { seed: 20260618, numRuns: 300 },
  );
  expect(await readGrant(KEYS, "x".repeat(100_000), NOW_MS)).toBeNull();
});

it("a token is invalid with an extra part, or if longer than any issued token", async () => {
  const token = await signGrant(KEYS, GRANT);
  for (const more of [".", ".AAAA"]) expect(await readGrant(KEYS, `${token}${more}`, NOW_MS)).toBeNull();
  // Grants whose ids make the token exactly as long as allowed, and one character longer.
  const tokenOf = (characters: number) => signGrant(KEYS, { ...GRANT, fileId: "f".repeat(characters) });
  const lengths = await Promise.all(
    Array.from({ length: 300 }, async (_, characters) => {
      const made = await tokenOf(characters);
      return { isRead: (await readGrant(KEYS, made, NOW_MS)) !== null, length: made.length };
    }),
  );
  for (const { isRead, length } of lengths) expect(isRead).toBe(length <= TOKEN_CHARACTERS_MAX);
  expect(lengths.map(({ length }) => length)).toContain(TOKEN_CHARACTERS_MAX);
});
