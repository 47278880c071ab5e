/** How long the worker says each output of a job took to draw and store, in milliseconds by size id. */
export function readDrawTimes(log: string, jobId: string): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const line of log.split("\n")) {
    if (!line.startsWith('{"event":"output_drawn"')) continue;
    const entry: { jobId: string; sizeId: string; durationMs: number } = JSON.parse(line);
    if (entry.jobId === jobId) times.set(entry.sizeId, entry.durationMs);
  }
  return times;
}
