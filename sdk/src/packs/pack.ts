import { PackFailedError } from "../errors.ts";
import type { RequestOptions } from "../options.ts";
import type { ArtifactsResource } from "../resources/artifacts.ts";
import type { JobsResource } from "../resources/jobs.ts";
import { pollAfterMs } from "../retry-rules.ts";
import type { Artifact, ArtifactFile, Job, Progress, SucceededJob } from "../types.ts";
import { wait } from "../waiting.ts";
import { type DownloadOptions, downloadPack, type PackWriter, type SavedFile } from "./download-pack.ts";

/** What packs are made, watched and fetched with. */
export interface PackDeps {
  readonly jobs: JobsResource;
  readonly artifacts: ArtifactsResource;
}

export interface WaitOptions extends RequestOptions {
  /** Told whenever more of the pack is drawn. */
  readonly onProgress?: ((progress: PackProgress) => void) | undefined;
  /** Milliseconds between polls. As the service asks when absent. */
  readonly pollMs?: number | undefined;
}

export interface PackProgress extends Progress {
  readonly status: Job["status"];
}

/** Where the service names no time until the next poll. */
const DEFAULT_POLL_MS = 2_000;

/**
 * A pack that was ordered.
 *
 * @example
 * ```ts
 * const pack = await client.packs.create({
 *   contractId: "display.v1",
 *   selectedSizeIds: ["iab-300x250", "iab-728x90"],
 *   assetIds: { media: photo.assetId },
 * });
 * await pack.wait({ onProgress: ({ completed, total }) => console.log(`${completed} of ${total}`) });
 * await pack.download("packs/summer");
 * ```
 */
export class Pack {
  /** Whether it was there already, and nothing was paid for it now. */
  readonly isReused: boolean;
  readonly #deps: PackDeps;
  #job: Job;
  #artifact: Artifact | null = null;

  constructor(deps: PackDeps, job: Job, isReused: boolean) {
    this.#deps = deps;
    this.#job = job;
    this.isReused = isReused;
  }

  /** Its job's id. `client.packs.get(id)` finds it again, in another process, too. */
  get id(): string {
    return this.#job.jobId;
  }

  /** Its job as it was last read. */
  get job(): Job {
    return this.#job;
  }

  /** Where it stood when it was last read. */
  get status(): Job["status"] {
    return this.#job.status;
  }

  /** Reads the job anew. */
  async refresh(options: RequestOptions = {}): Promise<Job> {
    this.#job = await this.#deps.jobs.get(this.id, options);
    return this.#job;
  }

  /**
   * Waits until the pack has its files. Throws a `PackFailedError` when it ended without them, and an `AbortedError` when
   * the signal says so: the pack goes on, and can be waited for again.
   */
  async wait({ onProgress, pollMs, ...options }: WaitOptions = {}): Promise<this> {
    let told: string | null = null;
    const tell = (): void => {
      const { status, progress } = this.#job;
      const now = `${status} ${progress.completed}`;
      if (now !== told) onProgress?.({ ...progress, status });
      told = now;
    };
    tell();
    // A job that was made this moment has not ended: first wait as long as most take.
    let waitMs = pollMs ?? DEFAULT_POLL_MS;
    while (this.#job.status === "queued" || this.#job.status === "running") {
      await wait(waitMs, options.signal);
      const { data, response } = await this.#deps.jobs.get(this.id, options).withResponse();
      this.#job = data;
      tell();
      waitMs = pollMs ?? pollAfterMs(response.headers) ?? DEFAULT_POLL_MS;
    }
    this.#succeeded();
    return this;
  }

  /** The manifest: every file with its length, hash, verdict and layout. The pack must have succeeded. */
  async manifest(options: RequestOptions = {}): Promise<Artifact> {
    this.#artifact ??= await this.#deps.artifacts.get(this.#succeeded().artifactId, options);
    return this.#artifact;
  }

  /** Its files, in the order of its sizes. */
  async files(options: RequestOptions = {}): Promise<readonly ArtifactFile[]> {
    return (await this.manifest(options)).files;
  }

  /** The bytes of one of its files, compared with their length and hash. */
  async bytes(file: Pick<ArtifactFile, "fileId" | "byteLength" | "checksum">, options: RequestOptions = {}) {
    const expected = { byteLength: file.byteLength, sha256: file.checksum.value };
    return this.#deps.artifacts.downloadFile(this.#succeeded().artifactId, file.fileId, expected, options);
  }

  /**
   * Downloads every file into a folder (Node.js, Bun and Deno) or to a writer, and `manifest.json` last: where that is,
   * the pack is whole. In a folder each file is written under another name until its length and hash were found right, and
   * files that are there already are kept. Throws a `SaveError` where one cannot be written.
   */
  async download(to: string | PackWriter, options: DownloadOptions = {}): Promise<readonly SavedFile[]> {
    return downloadPack(await this.manifest(options), (file) => this.bytes(file, options), to, options);
  }

  /** The whole pack as a ZIP, with its `manifest.json`. */
  async zip(options: RequestOptions = {}): Promise<Uint8Array<ArrayBuffer>> {
    const { url, byteLength } = await this.#deps.artifacts.getDownload(this.#succeeded().artifactId, options);
    return this.#deps.artifacts.downloadLink(url, { byteLength }, options);
  }

  /** The same as it comes, for a pack that is not to be in memory whole. It ends with an error where it breaks off. */
  async zipStream(options: RequestOptions = {}): Promise<ReadableStream<Uint8Array>> {
    const { url } = await this.#deps.artifacts.getDownload(this.#succeeded().artifactId, options);
    return this.#deps.artifacts.openLink(url, options);
  }

  /** Cancels it while it is queued; its cost is given back. Throws a `ConflictError` while it is drawn. */
  async cancel(options: RequestOptions = {}): Promise<Job> {
    this.#job = await this.#deps.jobs.cancel(this.id, options);
    return this.#job;
  }

  #succeeded(): SucceededJob {
    const job = this.#job;
    if (job.status === "succeeded") return job;
    if (job.status === "failed" || job.status === "canceled") throw new PackFailedError(job);
    throw new TypeError("The pack has no files yet: call `await pack.wait()` first.");
  }
}
