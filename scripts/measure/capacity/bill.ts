import { INCLUDED, PRICES } from "../../../bench/prices.ts";
import { type Load, packsADay } from "./limits.ts";
import { overPack, type ServiceTimes, sum } from "./pack.ts";
import { bytesAt } from "./shards.ts";

/** Usage of a deployment in a month. GB are 10^9 bytes, as on the platform. */
export type MonthlyUse = Readonly<Record<keyof typeof INCLUDED, number>>;

/** The sweep runs once a minute, and sends a message for each shard. */
const SWEEPS_A_MONTH = 60 * 24 * 30;

/** Usage in the twelfth month. Excludes uploads, previews and visitors of the Studio. */
export function monthlyUse(load: Load, pollsPerPack: number, cpu: ServiceTimes): MonthlyUse {
  const { scenario, figures } = load;
  const { messages, reading, bytes, days } = figures;
  const outputs = sum(messages);
  const packs = scenario.outputsAMonth / outputs;
  const objectCalls = packs * overPack(figures, (part) => part.objectCalls, pollsPerPack);
  const readRequests = reading.objectCalls + pollsPerPack;
  return {
    requests: packs * (1 + messages.length + readRequests) + (1 + scenario.shards) * SWEEPS_A_MONTH,
    cpuMs: packs * (cpu.requestCpuMs + outputs * cpu.outputCpuMs + readRequests * cpu.readCpuMs),
    d1RowsRead: packs * figures.d1RowsRead,
    d1RowsWritten: packs * overPack(figures, ({ d1 }) => sum(d1)),
    d1GbMonths: bytesAt(11.5 * 30, packsADay(load), figures) / 1e9,
    r2ClassA: packs * overPack(figures, ({ r2Writes }) => r2Writes),
    r2ClassB: packs * overPack(figures, ({ r2Reads }) => r2Reads),
    r2GbMonths: (packs * (outputs * bytes.file + bytes.manifest) * Math.min(days.files, 30)) / 30 / 1e9,
    // Each message is written, read and deleted.
    queueOperations: 3 * (packs * messages.length + scenario.shards * SWEEPS_A_MONTH),
    // Upper bound: every call opens a rate-limit window, which stores its count and sets an alarm. The alarm is another
    // request and deletes both.
    objectRequests: 2 * objectCalls,
    // A Durable Object counts as 128 MB while it runs, less than 10 ms per call.
    objectGbSeconds: 0.128 * 0.01 * objectCalls,
    objectRowsWritten: 3 * objectCalls,
    logLines: packs * overPack(figures, (part) => part.logLines, pollsPerPack),
  };
}

/** Lines of the bill with their prices, in order. */
const LINES: readonly (readonly [what: keyof MonthlyUse, words: string, price: number])[] = [
  ["requests", "requests and queue batches", PRICES.perRequest],
  ["cpuMs", "CPU, ms", PRICES.perCpuMs],
  ["d1RowsWritten", "D1 rows written, index entries among them", PRICES.perD1RowWritten],
  ["d1RowsRead", "D1 rows read", PRICES.perD1RowRead],
  ["d1GbMonths", "D1 storage, GB in the twelfth month", PRICES.perD1GbMonth],
  ["r2ClassA", "R2 writes", PRICES.perR2ClassA],
  ["r2ClassB", "R2 reads", PRICES.perR2ClassB],
  ["r2GbMonths", "R2 storage, GB", PRICES.perR2GbMonth],
  ["queueOperations", "queue operations", PRICES.perQueueOperation],
  ["objectRequests", "object requests, at most", PRICES.perObjectRequest],
  ["objectGbSeconds", "object duration, GB seconds", PRICES.perObjectGbSecond],
  ["objectRowsWritten", "object rows written, at most", PRICES.perObjectRowWritten],
  ["logLines", "log lines", PRICES.perLogLine],
];

/** The lines of `billOf` as text. */
export const BILL_WORDS = ["Workers Paid", ...LINES.map(([, words]) => words), "together"];

/** The monthly bill in dollars by line; the last line is the total. */
export function billOf(use: MonthlyUse) {
  const lines = LINES.map(([what, , price]) => ({
    what,
    used: use[what],
    included: INCLUDED[what],
    dollars: Math.max(0, use[what] - INCLUDED[what]) * price,
  }));
  const plan = { what: "plan", used: 1, included: 0, dollars: PRICES.perMonth };
  const together = sum([plan, ...lines].map(({ dollars }) => dollars));
  return [plan, ...lines, { what: "together", used: 0, included: 0, dollars: together }];
}
