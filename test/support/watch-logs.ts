import { afterEach, expect } from "vitest";
import { reportStress } from "../stress/report.ts";
import { readLogged, takeLogsRead } from "./read-logs.ts";

/**
 * Reads along whatever any integration test makes the worker log, and fails the test whose lines tell what no log
 * may, or are not lines of known members. Tests print lines of their own; those may hold no credential.
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
