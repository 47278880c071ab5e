import { expect, it } from "vitest";
import { chosenCases } from "../../bench/chosen-cases.ts";

/** Guarantee: `npm run bench -- --only` runs the cases it names and no others, or says which there are. */

const CASES = [{ id: "pack10" }, { id: "decode" }, { id: "requests" }];
const idsOf = (only: readonly string[]) => chosenCases(CASES, only).map(({ id }) => id);

it.each([
  [[], ["pack10", "decode", "requests"]],
  [["decode"], ["decode"]],
  [["requests,pack10"], ["pack10", "requests"]],
  [["requests, pack10"], ["pack10", "requests"]],
  [
    ["requests", "decode,requests"],
    ["decode", "requests"],
  ],
])("%j names %j", (only, expected) => {
  expect(idsOf(only)).toEqual(expected);
});

it.each(["pack11", "decode,pack11", "decode,"])("%j is refused, with the ids there are", (only) => {
  expect(() => idsOf([only])).toThrow(/There is no case "(?:pack11)?"\. Cases: pack10, decode, requests\./);
});
