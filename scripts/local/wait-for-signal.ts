/** How often the parent is looked for; a person does not notice the delay. */
const WATCH_MS = 250;

/**
 * Settles at the first signal to end, or when whoever started this under npm is gone without a word.
 * Later signals, while ending, change nothing.
 */
export function untilAskedToEnd(): Promise<"asked"> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => resolve("asked"));
    if (process.env.npm_lifecycle_event === undefined) return;
    const parent = process.ppid;
    setInterval(() => process.ppid !== parent && resolve("asked"), WATCH_MS).unref();
  });
}
