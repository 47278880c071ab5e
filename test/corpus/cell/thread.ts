/** Reads files, one after another, in a thread that may be terminated from outside. */
import { parentPort, workerData } from "node:worker_threads";
import { createEngine } from "#renderer/engine.ts";
import { loadCodecModules, loadFontSources } from "../../support/node-modules.ts";
import { seededRandom } from "../../support/pictures.ts";
import { type Bomb, bombsOf } from "../bombs/index.ts";
import { KINDS, type Kind, type NamedFile } from "../kinds.ts";
import { mutate } from "../mutate.ts";
import { type Probed, type ProbeTools, probe } from "../probe.ts";
import type { CellJob, Finding, ThreadMessage } from "./job.ts";
import { CELL_LIMITS } from "./limits.ts";
import { watchWasmMemories } from "./wasm-memories.ts";

export interface ThreadData {
  readonly job: CellJob;
  readonly seeds: Readonly<Record<Kind, readonly NamedFile[]>>;
}

interface Case {
  readonly name: string;
  readonly kind: Kind;
  readonly bytes: Uint8Array;
  /** Null for mutations, which accept any result. */
  readonly bomb: Bomb | null;
}

const { job, seeds }: ThreadData = workerData;
const memories = watchWasmMemories();
const tools: ProbeTools = {
  engine: createEngine(await loadCodecModules()),
  fonts: await loadFontSources(),
};
const send = (message: ThreadMessage): void => parentPort?.postMessage(message);

/** One good file of each kind. For mutations, all good files of the mutated kinds. */
const goodFiles = KINDS.flatMap((kind) => {
  const isAtWork = job.work.mode === "mutations" && job.work.kinds.includes(kind);
  return (isAtWork ? seeds[kind] : seeds[kind].slice(0, 1)).map((file) => ({ kind, file }));
});

/** Results of the good files of a kind, or of all kinds. */
async function hashesOfGood(only: Kind | null): Promise<readonly string[]> {
  const hashes: string[] = [];
  for (const { kind, file } of goodFiles) {
    if (only !== null && kind !== only) continue;
    const { outcome, hash } = await probe(tools, kind, file.bytes, false);
    hashes.push(`${kind} ${file.name}: ${outcome} ${hash}`);
  }
  return hashes;
}

const residentBytesPeak = (): number => process.resourceUsage().maxRSS * 1_024;

/** Resident bytes after garbage collection; the cell runs with an exposed collector. */
function residentBytesCollected(): number {
  globalThis.gc?.();
  return process.memoryUsage.rss();
}

/** Uncollected bytes allowed before a forced garbage collection, which takes as long as drawing most files. */
const UNCOLLECTED_BYTES_MAX = 16 * 1_048_576;

/**
 * Baseline of the next file's growth. It never exceeds the current resident memory, so memory that earlier files left
 * may count as this file's growth. The growth may look larger than it is, but never smaller.
 */
function residentBytesBefore(collected: number): number {
  const now = process.memoryUsage.rss();
  return now - collected > UNCOLLECTED_BYTES_MAX ? residentBytesCollected() : Math.min(now, collected);
}

const pick = <T>(items: readonly T[], random: () => number): T => {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error("nothing to pick from");
  return item;
};

async function caseAt(index: number): Promise<Case> {
  if (job.work.mode === "bombs") {
    const bomb = bombsOf(job.work.isQuick)[index];
    if (bomb === undefined) throw new Error("there is no such bomb");
    return { name: bomb.name, kind: bomb.kind, bytes: bomb.make(), bomb };
  }
  const { kinds, seed } = job.work;
  const kind = kinds[index % kinds.length] ?? "png";
  const random = seededRandom(seed + index * 7_919);
  const from = pick(seeds[kind], random);
  const bytes = mutate(kind, from.bytes, pick(seeds[kind], random).bytes, random);
  return { name: `${kind} seed ${seed} case ${index} of "${from.name}"`, kind, bytes, bomb: null };
}

const good = new Set(await hashesOfGood(null));
memories.takeBytes();
let residentBytes = residentBytesCollected();
send({ type: "ready" });

for (let index = job.from; index < job.to; index += 1) {
  const { name, kind, bytes, bomb } = await caseAt(index);
  const isApart = bomb !== null;
  if (isApart) residentBytes = residentBytesBefore(residentBytes);
  const peakBefore = residentBytesPeak();
  // The process's peak never falls. If an earlier peak would hide that of the next file, a new process continues.
  if (peakBefore - residentBytes > CELL_LIMITS.residentGrowthBytesMax && index > job.from) break;
  const findings: Finding[] = [];
  const found = (fault: Finding["fault"], detail: string): void => {
    findings.push({ index, name, fault, detail });
  };
  const cpuMsMax = bomb?.cpuMsMax ?? CELL_LIMITS.caseCpuMsMax;
  send({ type: "begun", index, name, cpuMsMax });
  const before = process.threadCpuUsage();
  let probed: Probed = { outcome: "escaped", hash: null };
  try {
    probed = await probe(tools, kind, bytes, isApart);
  } catch (thrown) {
    found("escaped", thrown instanceof Error ? `${thrown.stack}` : String(thrown));
  }
  const used = process.threadCpuUsage(before);
  const cpuMs = (used.user + used.system) / 1_000;
  const wasmBytes = memories.takeBytes();
  const peakAfter = residentBytesPeak();
  const residentGrowthBytes = peakAfter > peakBefore ? peakAfter - residentBytes : 0;
  // The growth may include uncollected memory of earlier files, so a new process repeats this file.
  if (residentGrowthBytes > CELL_LIMITS.residentGrowthBytesMax && index > job.from) break;
  if (cpuMs > cpuMsMax) found("hung", `${Math.round(cpuMs)} ms of CPU time`);
  if (wasmBytes > CELL_LIMITS.wasmBytesMax) found("memory", `${wasmBytes} bytes in WASM`);
  if (residentGrowthBytes > CELL_LIMITS.residentGrowthBytesMax) {
    found("memory", `${residentGrowthBytes} bytes more than before`);
  }
  if (bomb !== null && !bomb.outcomes.includes(probed.outcome) && findings.length === 0) {
    found("unexpected", `${probed.outcome} instead of ${bomb.outcomes.join(" or ")}`);
  }
  const isCheckOfAll = index + 1 === job.to || (index + 1) % CELL_LIMITS.casesPerCheck === 0;
  if (isApart || isCheckOfAll) {
    const now = await hashesOfGood(isCheckOfAll ? null : kind);
    const spoilt = now.find((hash) => !good.has(hash));
    if (spoilt !== undefined) found("spoilt", spoilt);
    memories.takeBytes();
    if (isCheckOfAll) residentBytes = residentBytesCollected();
  }
  const outcome = `${kind} ${probed.outcome}`;
  send({ type: "ended", index, name, outcome, cpuMs, wasmBytes, residentGrowthBytes, findings });
}
send({ type: "done" });
