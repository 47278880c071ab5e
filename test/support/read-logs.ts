import { vi } from "vitest";
import { log } from "#platform/log/log.ts";
import { faultsIn } from "../logs/secrets-in-text.ts";

/** What was logged since it was last asked: how many lines, and what was wrong with them. */
export interface LogsRead {
  readonly lines: number;
  readonly faults: readonly string[];
}

const FAULTS_KEPT_MAX = 20;
const FAULT_CHARACTERS_SHOWN = 300;
let lines = 0;
let faults: string[] = [];

/** Reads a text that was logged. */
export function readLogged(text: string): void {
  lines += 1;
  const found = faultsIn(text);
  if (found.length === 0 || faults.length === FAULTS_KEPT_MAX) return;
  faults.push(`${found.join(", ")} in ${text.slice(0, FAULT_CHARACTERS_SHOWN)}`);
}

/** Gives what was read and begins anew. */
export function takeLogsRead(): LogsRead {
  const taken = { lines, faults };
  lines = 0;
  faults = [];
  return taken;
}

/** Prints none of the worker's lines for the rest of a test, and reads each of them all the same. */
export function silenceLogs(): void {
  vi.spyOn(log, "line").mockImplementation((line) => readLogged(JSON.stringify(line)));
  vi.spyOn(log, "failure").mockImplementation((line) => readLogged(JSON.stringify(line)));
}
