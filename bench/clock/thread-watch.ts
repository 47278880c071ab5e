import { readFileSync } from "node:fs";

/** What the kernel has given a process's first thread, in ms: Documentation/scheduler/sched-stats.rst of Linux. */
export interface ThreadTimes {
  /** On a processor. */
  readonly runMs: number;
  /** Ready, while others had the processors. */
  readonly waitMs: number;
}

export interface ThreadWatch {
  /** What it had got between two moments of `Date.now()`, interpolated between looks. */
  readonly between: (fromMs: number, toMs: number) => ThreadTimes;
  readonly stop: () => void;
}

const NANOSECONDS = 1e6;
/** A look reads one small file. */
const LOOK_MS = 20;

interface Look extends ThreadTimes {
  readonly atMs: number;
}

function readTimes(pid: number): ThreadTimes {
  const [run = 0, wait = 0] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "utf8")
    .split(" ")
    .map(Number);
  return { runMs: run / NANOSECONDS, waitMs: wait / NANOSECONDS };
}

/** Looks at the thread until it is stopped. */
export function watchThread(pid: number): ThreadWatch {
  const looks: Look[] = [];
  const look = () => looks.push({ atMs: Date.now(), ...readTimes(pid) });
  look();
  const timer = setInterval(look, LOOK_MS);
  const at = (atMs: number): ThreadTimes => {
    const after = looks.findIndex((one) => one.atMs >= atMs);
    const [one, other] = [looks[Math.max(0, after - 1)], looks[after] ?? looks.at(-1)];
    if (one === undefined || other === undefined) throw new Error("the thread was not watched then");
    const share = other.atMs === one.atMs ? 1 : Math.min(1, (atMs - one.atMs) / (other.atMs - one.atMs));
    return {
      runMs: one.runMs + (other.runMs - one.runMs) * share,
      waitMs: one.waitMs + (other.waitMs - one.waitMs) * share,
    };
  };
  const between = (fromMs: number, toMs: number): ThreadTimes => {
    const [from, to] = [at(fromMs), at(toMs)];
    return { runMs: to.runMs - from.runMs, waitMs: to.waitMs - from.waitMs };
  };
  return {
    between,
    stop: () => clearInterval(timer),
  };
}
