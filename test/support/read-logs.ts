import { vi } from "vitest";
import { log } from "#platform/log/log.ts";
import { faultsIn } from "../logs/secrets-in-text.ts";

/** Number of log lines since the last call, and the faults found in them. */
export interface LogsRead {
  readonly lines: number;
  readonly faults: readonly string[];
}

const FAULTS_KEPT_MAX = 20;
const FAULT_CHARACTERS_SHOWN = 300;
let lines = 0;
let faults: string[] = [];

/** Checks a logged text. */
export function readLogged(text: string): void {
  lines += 1;
  const found = faultsIn(text);
  if (found.length === 0 || faults.length === FAULTS_KEPT_MAX) return;
  faults.push(`${found.join(", ")} in ${text.slice(0, FAULT_CHARACTERS_SHOWN)}`);
}

/** Returns the log lines read since the last call. */
export function takeLogsRead(): LogsRead {
  const taken = { lines, faults };
  lines = 0;
  faults = [];
  return taken;
}

/** Suppresses the worker's log output for the rest of a test, but still checks each line. */
export function silenceLogs(): void {
  vi.spyOn(log, "line").mockImplementation((line) => readLogged(JSON.stringify(line)));
  vi.spyOn(log, "failure").mockImplementation((line) => readLogged(JSON.stringify(line)));
}
