import { readdirSync, readFileSync } from "node:fs";

/** Reads CPU time and memory of processes from /proc of Linux (proc(5)). */

/** Unit of utime and stime on every Linux that Node.js supports (USER_HZ). */
const TICKS_PER_SECOND = 100;
const KIBIBYTE = 1024;

interface ProcessStat {
  readonly parent: number;
  /** CPU time of the process and of its children that have ended. */
  readonly cpuMs: number;
}

/** Reads /proc/<pid>/stat; null if the process has ended. */
function readStat(pid: number): ProcessStat | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name is in brackets and may contain anything; the fields after it are numbers.
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

/** Running child processes of a process. */
export function childrenOf(pid: number): number[] {
  return [...allProcesses()].filter(([, { parent }]) => parent === pid).map(([child]) => child);
}

/** CPU time of all threads of a process, in milliseconds; the kernel counts in steps of 10 ms. */
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

/** Current memory of a process in bytes. */
export const residentBytesOf = (pid: number): number => readStatusBytes(pid, "VmRSS");

/** Peak memory of a process in bytes. */
export const peakBytesOf = (pid: number): number => readStatusBytes(pid, "VmHWM");

/** Name of a process's program, such as `workerd`; empty if it has ended. */
export function programOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, "utf8").trim();
  } catch {
    return "";
  }
}
