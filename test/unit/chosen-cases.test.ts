import { expect, it } from "vitest";
import { chosenCases } from "../../bench/chosen-cases.ts";

/** `npm run bench -- --only` runs only the named cases, or lists the available ones. */

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
])("--only %j selects %j", (only, expected) => {
  expect(idsOf(only)).toEqual(expected);
});

it.each(["pack11", "decode,pack11", "decode,"])("--only %j is rejected with the available ids", (only) => {
  expect(() => idsOf([only])).toThrow(/There is no case "(?:pack11)?"\. Cases: pack10, decode, requests\./);
});
