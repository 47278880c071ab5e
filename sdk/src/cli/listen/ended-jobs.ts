import type { CreativePacks, Job } from "../../index.ts";

/**
 * Each poll also lists jobs that were created up to this long before the newest one, since jobs may be committed out of
 * order.
 */
const OVERLAP_MS = 60_000;
/** Maximum number of jobs read at once, and of open jobs remembered at the start. */
const JOBS_MAX = 10_000;
const PAGE = { limit: 100 } as const;

const isOpen = ({ status }: Job): boolean => status === "queued" || status === "running";

/**
 * Finds jobs of a workspace as they end, and returns each of them once. Remembers open jobs, and ended jobs for at
 * least a minute.
 */
export class EndedJobs {
  readonly #client: CreativePacks;
  readonly #signal: AbortSignal;
  /** Creation times by id. */
  readonly #open = new Map<string, number>();
  readonly #ended = new Map<string, number>();
  #newestMs = 0;

  private constructor(client: CreativePacks, signal: AbortSignal) {
    this.#client = client;
    this.#signal = signal;
  }

  /** Starts now: jobs that have already ended are not returned. */
  static async begin(client: CreativePacks, signal: AbortSignal): Promise<EndedJobs> {
    const jobs = new EndedJobs(client, signal);
    // Open jobs are read first, so that a job which ends during this call is returned by `next`.
    for (const status of ["queued", "running"] as const) {
      for await (const job of client.jobs.list({ ...PAGE, status }, { signal })) {
        jobs.#open.set(job.jobId, Date.parse(job.createdAt));
        if (jobs.#open.size >= JOBS_MAX) break;
      }
    }
    const [newest] = (await client.jobs.list({ limit: 1 }, { signal }).firstPage()).items;
    jobs.#newestMs = newest === undefined ? 0 : Date.parse(newest.createdAt);
    for (const job of await jobs.#since(jobs.#newestMs - OVERLAP_MS)) {
      if (!jobs.#open.has(job.jobId)) jobs.#keep(job);
    }
    return jobs;
  }

  /** Jobs that have ended since the last successful call, oldest order first. */
  async next(): Promise<readonly Job[]> {
    const floorMs = Math.min(this.#newestMs - OVERLAP_MS, ...this.#open.values());
    const found = await this.#since(floorMs);
    const ended = found.filter((job) => !isOpen(job) && !this.#ended.has(job.jobId));
    // Drop a job that is no longer listed; otherwise every later call would page back to it.
    this.#open.clear();
    for (const job of found) this.#keep(job);
    for (const [jobId, createdAtMs] of this.#ended) if (createdAtMs < floorMs) this.#ended.delete(jobId);
    return ended.reverse();
  }

  #keep(job: Job): void {
    const createdAtMs = Date.parse(job.createdAt);
    this.#newestMs = Math.max(this.#newestMs, createdAtMs);
    (isOpen(job) ? this.#open : this.#ended).set(job.jobId, createdAtMs);
  }

  async #since(floorMs: number): Promise<readonly Job[]> {
    const found: Job[] = [];
    for await (const job of this.#client.jobs.list(PAGE, { signal: this.#signal })) {
      if (Date.parse(job.createdAt) < floorMs || found.length >= JOBS_MAX) break;
      found.push(job);
    }
    return found;
  }
}
