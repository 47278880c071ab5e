/** Interval at which the parent process is checked. */
const WATCH_MS = 250;

/**
 * Resolves at the first termination signal or, in an npm script, when the parent process is gone. Later signals have no
 * effect.
 */
export function untilAskedToEnd(): Promise<"asked"> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => resolve("asked"));
    if (process.env.npm_lifecycle_event === undefined) return;
    const parent = process.ppid;
    setInterval(() => process.ppid !== parent && resolve("asked"), WATCH_MS).unref();
  });
}
