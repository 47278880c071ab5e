import { readdirSync, readFileSync } from "node:fs";

/** What the kernel says of processes: /proc of Linux, proc(5). */

/** utime, stime and the like count in these on every Linux that Node.js runs on (USER_HZ). */
const TICKS_PER_SECOND = 100;
const KIBIBYTE = 1024;

interface ProcessStat {
  readonly parent: number;
  /** Of itself and of the children it has waited for. */
  readonly cpuMs: number;
}

/** Null when there is no such process any more. */
function readStat(pid: number): ProcessStat | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name stands in brackets and may hold anything; the fields after it are numbers.
    const fields = text
      .slice(text.lastIndexOf(")") + 2)
      .split(" ")
      .map(Number);
    const [utime = 0, stime = 0, childrenUtime = 0, childrenStime = 0] = fields.slice(11, 15);
    const ticks = utime + stime + childrenUtime + childrenStime;
    return { parent: fields[1] ?? 0, cpuMs: (ticks * 1000) / TICKS_PER_SECOND };
  } catch {
    return null;
  }
}

function allProcesses(): ReadonlyMap<number, ProcessStat> {
  const stats = new Map<number, ProcessStat>();
  for (const entry of readdirSync("/proc")) {
    if (!/^\d+$/.test(entry)) continue;
    const stat = readStat(Number(entry));
    if (stat !== null) stats.set(Number(entry), stat);
  }
  return stats;
}

/** The processes that a process has started and that still run. */
export function childrenOf(pid: number): number[] {
  return [...allProcesses()].filter(([, { parent }]) => parent === pid).map(([child]) => child);
}

/** CPU time of a process in milliseconds, in steps of ten; all its threads count. */
export function cpuMsOf(pid: number): number {
  const stat = readStat(pid);
  if (stat === null) throw new Error(`the process ${pid} that was being measured is gone`);
  return stat.cpuMs;
}

function readStatusBytes(pid: number, field: "VmHWM" | "VmRSS"): number {
  const text = readFileSync(`/proc/${pid}/status`, "utf8");
  const kibibytes = new RegExp(`^${field}:\\s+(\\d+) kB$`, "m").exec(text)?.[1];
  if (kibibytes === undefined) throw new Error(`/proc/${pid}/status has no ${field}`);
  return Number(kibibytes) * KIBIBYTE;
}

/** Bytes of memory that a process holds now. */
export const residentBytesOf = (pid: number): number => readStatusBytes(pid, "VmRSS");

/** The most bytes of memory that a process has held. */
export const peakBytesOf = (pid: number): number => readStatusBytes(pid, "VmHWM");

/** The program that a process runs, as `workerd`; empty when it is gone. */
export function programOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, "utf8").trim();
  } catch {
    return "";
  }
}
