import { afterAll, expect } from "vitest";
import { parseLine, secretsIn } from "../logs/secrets-in-text.ts";

/**
 * Reads along whatever any integration test makes the worker log, and fails the file whose lines tell what no log
 * may. Tests print lines of their own; only the worker's are JSON with an event.
 */

const METHODS = ["log", "info", "warn", "error", "debug"] as const;
const found: string[] = [];

for (const method of METHODS) {
  const original = console[method];
  console[method] = (...values: unknown[]): void => {
    for (const value of values) {
      const text = typeof value === "string" ? value : String(value);
      const secrets = parseLine(text) === null ? [] : secretsIn(text);
      if (secrets.length > 0) found.push(`${secrets.join(", ")} in ${text.slice(0, 300)}`);
    }
    original.apply(console, values);
  };
}

afterAll(() => {
  const tellTale = found.splice(0);
  expect(tellTale).toEqual([]);
});
