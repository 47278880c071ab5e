import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { generateSecret, isWellFormedSecret, type KeyKind, prefixOf } from "../../src/keys/secret.ts";

/** Guarantee: a secret that was mistyped or cut is refused by arithmetic alone, and no two secrets are equal. */

const KINDS: readonly KeyKind[] = ["live", "trial"];
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const SECRETS_TRIED = 200;

const some = (kind: KeyKind, count: number) => Array.from({ length: count }, () => generateSecret(kind));

describe("API §5.6 the form of a secret", () => {
  it.each(KINDS)("a %s secret has one fixed width and passes its own check", (kind) => {
    for (const secret of some(kind, SECRETS_TRIED)) {
      expect(secret).toMatch(new RegExp(`^cpk_${kind}_[0-9A-Za-z]{49}$`));
      expect(isWellFormedSecret(secret)).toBe(true);
    }
  });

  it("secrets do not repeat, and their leading digits vary", () => {
    const secrets = some("live", SECRETS_TRIED);
    expect(new Set(secrets).size).toBe(SECRETS_TRIED);
    // 43 digits hold a little more than 256 bits, so the first takes few values; the second takes nearly all.
    expect(new Set(secrets.map((secret) => secret.charAt(10))).size).toBeGreaterThan(30);
  });

  it("the prefix tells keys apart and leaves 43 digits to guess", () => {
    const secret = generateSecret("trial");
    expect(prefixOf(secret)).toBe(secret.slice(0, "cpk_trial_".length + 6));
  });
});

describe("what is refused without a read", () => {
  it("every change of one character", () => {
    const secret = generateSecret("live");
    for (let at = 0; at < secret.length; at += 1) {
      for (const character of `${ALPHABET}_- `) {
        if (character === secret.charAt(at)) continue;
        const mistyped = secret.slice(0, at) + character + secret.slice(at + 1);
        expect(isWellFormedSecret(mistyped), mistyped).toBe(false);
      }
    }
  });

  it("every swap of two different neighbours", () => {
    const secret = generateSecret("live");
    for (let at = 0; at + 1 < secret.length; at += 1) {
      if (secret.charAt(at) === secret.charAt(at + 1)) continue;
      const swapped = secret.slice(0, at) + secret.charAt(at + 1) + secret.charAt(at) + secret.slice(at + 2);
      expect(isWellFormedSecret(swapped), swapped).toBe(false);
    }
  });

  it("every cut, and anything before or after", () => {
    const secret = generateSecret("live");
    for (let length = 0; length < secret.length; length += 1) {
      expect(isWellFormedSecret(secret.slice(0, length))).toBe(false);
    }
    for (const wrapped of [` ${secret}`, `${secret} `, `${secret}\n`, `${secret}0`, `x${secret}`]) {
      expect(isWellFormedSecret(wrapped)).toBe(false);
    }
  });

  it("one kind passed off as the other", () => {
    const secret = generateSecret("trial");
    expect(isWellFormedSecret(secret.replace("cpk_trial_", "cpk_live_"))).toBe(false);
  });

  it("arbitrary text", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 80 }), (text) => !isWellFormedSecret(text)),
      { verbose: true },
    );
  });
});
