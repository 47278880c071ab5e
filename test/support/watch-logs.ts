import { afterEach, expect } from "vitest";
import { reportStress } from "../stress/report.ts";
import { readLogged, takeLogsRead } from "./read-logs.ts";

/**
 * Checks everything that the worker logs in integration tests, and fails the test if a line contains forbidden data or
 * unknown members. Lines of the tests themselves must not contain credentials.
 */

const METHODS = ["log", "info", "warn", "error", "debug"] as const;

for (const method of METHODS) {
  const original = console[method];
  console[method] = (...values: unknown[]): void => {
    for (const value of values) readLogged(typeof value === "string" ? value : String(value));
    original.apply(console, values);
  };
}

afterEach(({ task }) => {
  const { lines, faults } = takeLogsRead();
  if (lines > 0) reportStress(task, { counts: { "log lines read": lines }, leaked: faults.length });
  expect(faults).toEqual([]);
});
