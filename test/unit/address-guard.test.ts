import { describe, expect, it } from "vitest";
import { ADDRESS_CHARACTERS_MAX } from "#api/limits.ts";
import { checkAddress } from "#platform/outbound/ssrf-guard.ts";
import hostileAddresses from "../fixtures/hostile-addresses.json";

/** A customer's URL never makes the service call a private network, and no two parsers can read it differently. */

const OPEN = { isLoopbackOpen: true };
const CLOSED = { isLoopbackOpen: false };

/** Rejected URLs by category, including URLs that are too long. */
const HOSTILE: Readonly<Record<string, readonly string[]>> = {
  ...hostileAddresses,
  "too long": [
    `https://${"a".repeat(64)}.acme.com/`,
    `https://${"a.".repeat(130)}com/`,
    `https://hooks.acme.com/${"a".repeat(ADDRESS_CHARACTERS_MAX)}`,
  ],
};

const TABLE = Object.entries(HOSTILE).flatMap(([kind, addresses]) =>
  addresses.map((address) => ({ kind, address })),
);

it("the list has at least sixty distinct hostile addresses", () => {
  expect(TABLE.length).toBeGreaterThanOrEqual(60);
  expect(new Set(TABLE.map(({ address }) => address)).size).toBe(TABLE.length);
});

it.each(TABLE)("a hostile address is rejected: $kind, $address", ({ address }) => {
  const outcome = checkAddress(address, CLOSED);
  expect(outcome).toMatchObject({ ok: false, code: "ADDRESS_REFUSED" });
  // The message must not quote the URL, since messages are logged and shown.
  if (!outcome.ok && address.length > 12) expect(outcome.message).not.toContain(address);
});

it.each([
  "https://hooks.acme.com/packs?token=abc",
  "https://hooks.acme.com:8443/a/b",
  "HTTPS://Hooks.Acme.Com",
  "https://s3.eu-central-1.amazonaws.com",
  "https://0123456789abcdef.r2.cloudflarestorage.com",
  "https://xn--bcher-kva.example/",
  "https://acme.com:443/",
  "https://v1.2.3.acme.com/",
  "https://hooks.acme.com/a%20b",
])("a public address is accepted: %s", (address) => {
  expect(checkAddress(address, CLOSED)).toMatchObject({ ok: true });
});

describe("with loopback allowed", () => {
  it.each([
    "http://127.0.0.1:9000/hook",
    "http://localhost:9000/",
    "http://[::1]:9000/",
    "https://127.0.0.1/",
  ])("accepts %s, which is rejected otherwise", (address) => {
    expect(checkAddress(address, OPEN).ok).toBe(true);
    expect(checkAddress(address, CLOSED).ok).toBe(false);
  });

  it("still rejects every host but this machine", () => {
    const isThisMachine = (address: string) => {
      const host = URL.canParse(address) ? new URL(address).hostname : "";
      return ["127.0.0.1", "[::1]", "localhost"].includes(host);
    };
    const others = TABLE.filter(({ address }) => !isThisMachine(address));
    expect(others.length).toBeGreaterThan(60);
    expect(others.filter(({ address }) => checkAddress(address, OPEN).ok)).toEqual([]);
  });
});
