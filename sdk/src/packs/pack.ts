import { PackFailedError } from "../errors.ts";
import type { RequestOptions } from "../options.ts";
import type { ArtifactsResource } from "../resources/artifacts.ts";
import type { JobsResource } from "../resources/jobs.ts";
import { pollAfterMs } from "../retry-rules.ts";
import type { Artifact, ArtifactFile, Job, Progress, SucceededJob } from "../types.ts";
import { wait } from "../waiting.ts";
import { type DownloadOptions, downloadPack, type PackWriter, type SavedFile } from "./download-pack.ts";

/** Resources used by packs. */
export interface PackDeps {
  readonly jobs: JobsResource;
  readonly artifacts: ArtifactsResource;
}

export interface WaitOptions extends RequestOptions {
  /** Called when the status or the number of rendered sizes changes. */
  readonly onProgress?: ((progress: PackProgress) => void) | undefined;
  /** Milliseconds between polls. Default: the interval suggested by the service. */
  readonly pollMs?: number | undefined;
}

export interface PackProgress extends Progress {
  readonly status: Job["status"];
}

/** Interval between polls if the service suggests none. */
const DEFAULT_POLL_MS = 2_000;

/**
 * An ordered pack.
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
  /** Whether the pack already existed, so that nothing was paid now. */
  readonly isReused: boolean;
  readonly #deps: PackDeps;
  #job: Job;
  #artifact: Artifact | null = null;

  constructor(deps: PackDeps, job: Job, isReused: boolean) {
    this.#deps = deps;
    this.#job = job;
    this.isReused = isReused;
  }

  /** Id of the pack's job. `client.packs.get(id)` finds the pack again, even in another process. */
  get id(): string {
    return this.#job.jobId;
  }

  /** The job as last read. */
  get job(): Job {
    return this.#job;
  }

  /** The status as last read. */
  get status(): Job["status"] {
    return this.#job.status;
  }

  /** Reads the job again. */
  async refresh(options: RequestOptions = {}): Promise<Job> {
    this.#job = await this.#deps.jobs.get(this.id, options);
    return this.#job;
  }

  /**
   * Waits until the pack is finished. Throws a `PackFailedError` if it failed or was canceled, and an `AbortedError` if
   * the signal aborts the wait. An aborted wait does not cancel the pack.
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
    // Wait before the first poll too: a new job takes about this long.
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

  /** The manifest: every file with its length, hash, compliance and layout report. The pack must have succeeded. */
  async manifest(options: RequestOptions = {}): Promise<Artifact> {
    this.#artifact ??= await this.#deps.artifacts.get(this.#succeeded().artifactId, options);
    return this.#artifact;
  }

  /** Files of the pack, in the order of its sizes. */
  async files(options: RequestOptions = {}): Promise<readonly ArtifactFile[]> {
    return (await this.manifest(options)).files;
  }

  /** Bytes of one file, verified against their length and hash. */
  async bytes(file: Pick<ArtifactFile, "fileId" | "byteLength" | "checksum">, options: RequestOptions = {}) {
    const expected = { byteLength: file.byteLength, sha256: file.checksum.value };
    return this.#deps.artifacts.downloadFile(this.#succeeded().artifactId, file.fileId, expected, options);
  }

  /**
   * Downloads all files to a folder (Node.js, Bun and Deno) or a writer, and `manifest.json` last: if it exists, the
   * pack is complete. In a folder, existing files with the right length and hash are kept. New files are verified and
   * written atomically. Throws a `SaveError` if a file cannot be written.
   */
  async download(to: string | PackWriter, options: DownloadOptions = {}): Promise<readonly SavedFile[]> {
    return downloadPack(await this.manifest(options), (file) => this.bytes(file, options), to, options);
  }

  /** The pack as a ZIP, including `manifest.json`. */
  async zip(options: RequestOptions = {}): Promise<Uint8Array<ArrayBuffer>> {
    const { url, byteLength } = await this.#deps.artifacts.getDownload(this.#succeeded().artifactId, options);
    return this.#deps.artifacts.downloadLink(url, { byteLength }, options);
  }

  /** The ZIP as a stream, for packs too large for memory. The stream errors if the download is truncated. */
  async zipStream(options: RequestOptions = {}): Promise<ReadableStream<Uint8Array>> {
    const { url } = await this.#deps.artifacts.getDownload(this.#succeeded().artifactId, options);
    return this.#deps.artifacts.openLink(url, options);
  }

  /** Cancels a queued pack; its cost is refunded. Throws a `ConflictError` while it is being rendered. */
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
