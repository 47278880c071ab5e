import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { CONTRACTS } from "#catalogue/contracts.ts";

/** Contract id → SHA-256 of its canonical JSON, written when it was released. */
const RELEASED: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(join(import.meta.dirname, "released-contracts.json"), "utf8"),
);

/** JSON with the members of every object in alphabetical order, so that order does not count. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join()}}`;
}

const hashOf = (contract: unknown): string => createHash("sha256").update(canonical(contract)).digest("hex");

it.each(Object.entries(RELEASED))("%s is unchanged since its release", (contractId, released) => {
  const contract = CONTRACTS.find((candidate) => candidate.contractId === contractId);
  expect(contract, `${contractId} is gone, and jobs still name it`).toBeDefined();
  const hash = hashOf(contract);
  const advice =
    `${contractId} is released and no longer what it was. Customers' fingerprints and verdicts rest on it: leave it ` +
    `as it is and put the changed rules into a new version beside it. (Now ${hash}.)`;
  expect(hash, advice).toBe(released);
});

it("every contract is released: a new one adds its hash to released-contracts.json", () => {
  const now = Object.fromEntries(CONTRACTS.map((contract) => [contract.contractId, hashOf(contract)]));
  expect(now).toEqual(RELEASED);
});
