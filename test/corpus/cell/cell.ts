/**
 * A process that reads hostile files in a thread and watches it: `node cell.ts '<CellJob>'` prints one CellReport. If a
 * file does not end in time, the process exits; the report contains the next file's number.
 */
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { allSeeds } from "../seeds/index.ts";
import type { CellJob, CellReport, Finding, ThreadMessage } from "./job.ts";
import { CELL_LIMITS } from "./limits.ts";
import type { ThreadData } from "./thread.ts";

const WATCH_EVERY_MS = 50;

const job: CellJob = JSON.parse(process.argv[2] ?? "null");
const workerData: ThreadData = { job, seeds: await allSeeds() };

const outcomes: Record<string, number> = {};
const findings: Finding[] = [];
let slowest = { name: "", cpuMs: 0 };
let wasmBytesPeak = 0;
let residentGrowthBytesPeak = 0;
let next = job.from;
interface Current {
  readonly index: number;
  readonly name: string;
  readonly cpuMsMax: number;
  readonly wallMs: number;
  readonly cpuMicros: number;
}
let current: Current | null = null;

const cpuMicrosNow = (): number => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

let hasEnded = false;

/** Reports the next file's number and ends the process; the thread may still be busy. */
function end(): void {
  if (hasEnded) return;
  hasEnded = true;
  clearInterval(watch);
  const report: CellReport = { next, outcomes, findings, slowest, wasmBytesPeak, residentGrowthBytesPeak };
  process.stdout.write(`${JSON.stringify(report)}\n`, () => process.exit(0));
}

function endWithFinding(fault: Finding["fault"], detail: string): void {
  if (hasEnded) return;
  const { index, name } = current ?? { index: next, name: "before a file" };
  findings.push({ index, name, fault, detail });
  next = index + 1;
  end();
}

function noteEnd(message: Extract<ThreadMessage, { type: "ended" }>): void {
  const { index, name, outcome, cpuMs, wasmBytes } = message;
  current = null;
  next = index + 1;
  outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  findings.push(...message.findings);
  if (cpuMs > slowest.cpuMs) slowest = { name, cpuMs: Math.round(cpuMs) };
  wasmBytesPeak = Math.max(wasmBytesPeak, wasmBytes);
  residentGrowthBytesPeak = Math.max(residentGrowthBytesPeak, message.residentGrowthBytes);
}

function note(message: ThreadMessage): void {
  if (hasEnded) return;
  switch (message.type) {
    case "ready":
      return;
    case "begun":
      current = { ...message, wallMs: performance.now(), cpuMicros: cpuMicrosNow() };
      return;
    case "ended":
      noteEnd(message);
      return;
    case "done":
      end();
  }
}

const thread = new Worker(join(import.meta.dirname, "thread.ts"), { workerData });
thread.on("message", note);
thread.on("error", (thrown) =>
  endWithFinding("escaped", thrown instanceof Error ? `${thrown.stack}` : String(thrown)),
);
// A thread that awaits an event that never comes has nothing left to do and exits.
thread.on("exit", () => endWithFinding("hung", "the thread ended without an answer"));

const watch = setInterval(() => {
  if (current === null) return;
  const cpuMs = (cpuMicrosNow() - current.cpuMicros) / 1_000;
  const wallMs = performance.now() - current.wallMs;
  const cpuMsMax = current.cpuMsMax * CELL_LIMITS.processCpuShareMax;
  if (cpuMs > cpuMsMax) endWithFinding("hung", `still at work after ${Math.round(cpuMs)} ms of CPU time`);
  if (wallMs > CELL_LIMITS.caseWallMsMax)
    endWithFinding("hung", `still waiting after ${Math.round(wallMs)} ms`);
}, WATCH_EVERY_MS);
