import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkOf, generateSecret, type KeyKind, prefixOf, readSecret } from "#domains/keys/secret.ts";
import { DIRECTORY, SHARD_NAMES } from "#platform/databases/shard-name.ts";

const KINDS: readonly KeyKind[] = ["live", "test", "trial"];
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const SECRETS_TRIED = 200;

const CHECK_SECRET = "Unit-tests-check-0123456789abcdef";

const some = (kind: KeyKind, count: number) => Array.from({ length: count }, () => generateSecret(kind));
const homeOfSecret = (secret: string) => readSecret(secret, CHECK_SECRET)?.home ?? null;
/**
 * Like `homeOfSecret`, but null for secrets that only a lookup can reject: their check has another version, or they
 * have one character too many.
 */
const homeIfChecked = (secret: string) => {
  const isOfOtherVersion = secret.length === "cpk_live_".length + 50 && secret.at(-7) !== "U";
  return isOfOtherVersion ? null : homeOfSecret(secret);
};

describe("API §5.6 the form of a secret", () => {
  it.each(KINDS)("a %s secret has one fixed width and passes its own check", (kind) => {
    for (const secret of some(kind, SECRETS_TRIED)) {
      expect(secret).toMatch(new RegExp(`^cpk_${kind}_[0-9A-Za-z]{49}$`));
      expect(homeOfSecret(secret)).toBe("DB");
    }
  });

  it("a secret with a shard starts with the shard's name, and is as hard to guess as one without", () => {
    for (const home of SHARD_NAMES) {
      const secret = generateSecret("live", home);
      expect(secret).toMatch(new RegExp(`^cpk_live_${home}[0-9A-Za-z]{49}$`));
      expect(homeOfSecret(secret)).toBe(home);
    }
  });

  it("an impossible or changed shard is rejected without a lookup", () => {
    const secret = generateSecret("live", "41");
    for (const other of [...SHARD_NAMES, "64", "99", "", DIRECTORY].filter((name) => name !== "41")) {
      expect(homeOfSecret(secret.replace("cpk_live_41", `cpk_live_${other}`)), other).toBeNull();
    }
    const body = `cpk_live_64${"0".repeat(43)}`;
    expect(homeOfSecret(body + checkOf(body))).toBeNull();
  });

  it("secrets do not repeat, and their leading digits vary", () => {
    const secrets = some("live", SECRETS_TRIED);
    expect(new Set(secrets).size).toBe(SECRETS_TRIED);
    // 43 digits hold slightly more than 256 bits, so the first digit has few values. The second has nearly all.
    expect(new Set(secrets.map((secret) => secret.charAt(10))).size).toBeGreaterThan(30);
  });

  it("the prefix identifies a key and leaves 43 digits to guess", () => {
    const secret = generateSecret("trial");
    expect(prefixOf(secret)).toBe(secret.slice(0, "cpk_trial_".length + 6));
  });
});

describe("API §5.6 a check under the origin's own secret", () => {
  it("is a version and six digits, with and without a shard, and proves that the service created the key", () => {
    for (const home of [DIRECTORY, "41"] as const) {
      const secret = generateSecret("live", home, CHECK_SECRET);
      expect(secret).toMatch(
        new RegExp(`^cpk_live_${home === DIRECTORY ? "" : home}[0-9A-Za-z]{43}U[0-9A-Za-z]{6}$`),
      );
      expect(readSecret(secret, CHECK_SECRET)).toEqual({ home, hasCurrentCheck: true });
    }
  });

  it("is rejected if another secret of the same version made it; another version needs a lookup", () => {
    const secret = generateSecret("live", DIRECTORY, CHECK_SECRET);
    expect(readSecret(secret, `${CHECK_SECRET}0`)).toBeNull();
    for (const other of [`2${CHECK_SECRET}`, null]) {
      expect(readSecret(secret, other)).toEqual({ home: DIRECTORY, hasCurrentCheck: false });
    }
  });

  it("after a change to a secret of the same version, older keys need a lookup", () => {
    const secret = generateSecret("live", DIRECTORY, CHECK_SECRET);
    expect(readSecret(secret, `${CHECK_SECRET}0`, CHECK_SECRET)).toEqual({
      home: DIRECTORY,
      hasCurrentCheck: false,
    });
    expect(readSecret(secret, `${CHECK_SECRET}0`, `${CHECK_SECRET}1`)).toBeNull();
  });

  it("a key without a version stays valid, but needs a lookup", () => {
    expect(readSecret(generateSecret("live"), CHECK_SECRET)).toEqual({
      home: DIRECTORY,
      hasCurrentCheck: false,
    });
  });
});

describe.each([null, CHECK_SECRET])("a key (check secret %s) is rejected without a lookup", (checkSecret) => {
  it("after every change of one character", () => {
    const secret = generateSecret("live", DIRECTORY, checkSecret);
    for (let at = 0; at < secret.length; at += 1) {
      for (const character of `${ALPHABET}_- `) {
        if (character === secret.charAt(at)) continue;
        const mistyped = secret.slice(0, at) + character + secret.slice(at + 1);
        expect(homeIfChecked(mistyped), mistyped).toBeNull();
      }
    }
  });

  it("after every swap of two different neighbours", () => {
    const secret = generateSecret("live", DIRECTORY, checkSecret);
    for (let at = 0; at + 1 < secret.length; at += 1) {
      if (secret.charAt(at) === secret.charAt(at + 1)) continue;
      const swapped = secret.slice(0, at) + secret.charAt(at + 1) + secret.charAt(at) + secret.slice(at + 2);
      expect(homeIfChecked(swapped), swapped).toBeNull();
    }
  });

  it("after every truncation, and with every prefix or suffix", () => {
    const secret = generateSecret("live", DIRECTORY, checkSecret);
    for (let length = 0; length < secret.length; length += 1) {
      expect(homeIfChecked(secret.slice(0, length))).toBeNull();
    }
    for (const wrapped of [` ${secret}`, `${secret} `, `${secret}\n`, `${secret}0`, `x${secret}`]) {
      expect(homeIfChecked(wrapped)).toBeNull();
    }
  });

  it("with the prefix of another kind of key", () => {
    const secret = generateSecret("trial", DIRECTORY, checkSecret);
    expect(homeIfChecked(secret.replace("cpk_trial_", "cpk_live_"))).toBeNull();
  });

  it("like arbitrary text", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 80 }), (text) => homeIfChecked(text) === null),
      { verbose: true },
    );
  });
});
