import type { CreativePacks, Job } from "../../index.ts";

/** A job may be committed a little later than one that was created after it. */
const OVERLAP_MS = 60_000;
/** Open jobs and pages that are looked through at most. */
const JOBS_MAX = 10_000;
const PAGE = { limit: 100 } as const;

const isOpen = ({ status }: Job): boolean => status === "queued" || status === "running";

/** Jobs of a workspace that end after a time, each once. Remembers open jobs and the ended ones of the last minute. */
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

  /** Begins now: jobs that have ended already are not returned. */
  static async begin(client: CreativePacks, signal: AbortSignal): Promise<EndedJobs> {
    const jobs = new EndedJobs(client, signal);
    // Open ones first: one that ends meanwhile is still returned.
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

  /** Those that have ended since the last call, the oldest order first. After an error the next call returns them. */
  async next(): Promise<readonly Job[]> {
    const floorMs = Math.min(this.#newestMs - OVERLAP_MS, ...this.#open.values());
    const found = await this.#since(floorMs);
    const ended = found.filter((job) => !isOpen(job) && !this.#ended.has(job.jobId));
    // One that is in no list any more would have every later call look back to it.
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
