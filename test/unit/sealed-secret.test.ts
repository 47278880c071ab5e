import { expect, it } from "vitest";
import { type EncryptionKeys, seal, unseal } from "#platform/crypto/sealed-secret.ts";

const key = (fill: number): Uint8Array => new Uint8Array(32).fill(fill);
const KEYS: EncryptionKeys = { current: key(1), previous: null };
const OWNER = { workspaceId: "w-1", destinationId: "d-1" };
const PLAIN = '{"secretAccessKey":"very secret"}';

it("a secret opens to the original, and is sealed differently each time", async () => {
  const first = await seal(KEYS, OWNER, PLAIN);
  const second = await seal(KEYS, OWNER, PLAIN);
  expect(await unseal(KEYS, OWNER, first)).toBe(PLAIN);
  expect(first).not.toBe(second);
  expect(first).not.toContain("secret");
  expect(atob(first.split(".")[3] ?? "")).not.toContain("secret");
});

it("a secret does not open for another row, another workspace or another key", async () => {
  const sealed = await seal(KEYS, OWNER, PLAIN);
  expect(await unseal(KEYS, { ...OWNER, destinationId: "d-2" }, sealed)).toBeNull();
  expect(await unseal(KEYS, { ...OWNER, workspaceId: "w-2" }, sealed)).toBeNull();
  expect(await unseal({ current: key(2), previous: null }, OWNER, sealed)).toBeNull();
});

it("a secret does not open when one character is altered or missing", async () => {
  const sealed = await seal(KEYS, OWNER, PLAIN);
  for (let at = 0; at < sealed.length; at += 1) {
    const other = sealed[at] === "A" ? "B" : "A";
    const altered = sealed.slice(0, at) + other + sealed.slice(at + 1);
    const opened = await unseal(KEYS, OWNER, altered);
    // A changed last character of base64 may decode to the same bytes.
    if (opened !== null) expect(opened).toBe(PLAIN);
    // Base64 is decoded with or without the padding at its end.
    if (!/^=*$/.test(sealed.slice(at))) expect(await unseal(KEYS, OWNER, sealed.slice(0, at))).toBeNull();
  }
});

it("a secret opens after a key rotation until the old key is removed", async () => {
  const sealed = await seal(KEYS, OWNER, PLAIN);
  const changing = { current: key(2), previous: key(1) };
  expect(await unseal(changing, OWNER, sealed)).toBe(PLAIN);
  const anew = await seal(changing, OWNER, PLAIN);
  expect(await unseal({ current: key(2), previous: null }, OWNER, anew)).toBe(PLAIN);
  expect(await unseal({ current: key(2), previous: null }, OWNER, sealed)).toBeNull();
});
