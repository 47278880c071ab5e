import type { ApiPromise } from "../api-promise.ts";
import type { Operations } from "../generated/operations.ts";
import { List } from "../list.ts";
import type { RequestOptions } from "../options.ts";
import { Resource } from "../transport.ts";
import type {
  CreateJob,
  CreatePreview,
  Given,
  Job,
  JobQuote,
  PackRequest,
  Preview,
  PreviewQuota,
  UpdateJob,
} from "../types.ts";

/** Options of calls about one job. */
export interface JobOptions extends RequestOptions {
  /** Seconds to wait for the job's end, at most 30. If it has succeeded by then, the response includes `artifact`. */
  readonly waitSeconds?: number | undefined;
}

const preferring = ({ waitSeconds, ...options }: JobOptions): RequestOptions =>
  waitSeconds === undefined
    ? options
    : { ...options, headers: { ...options.headers, Prefer: `wait=${waitSeconds}` } };

/** Orders for packs. `client.packs` adds waiting and downloading. */
export class JobsResource extends Resource {
  /** Lists jobs without their `overrides`, newest first. Scope: `jobs:read`. */
  list(query: Operations["listJobs"]["query"] = {}, options: RequestOptions = {}): List<Job> {
    return new List((before = query.before) =>
      this.transport.json({ operation: "listJobs", query: { ...query, before }, options }),
    );
  }

  /**
   * Orders a pack and pays for it once per idempotency key. With `assets`, the service first imports files by URL. If
   * the imports take longer than the request, the call is retried and continues with them. Scope: `jobs:write`; with
   * `assets` also `assets:write`.
   */
  create(request: Given<CreateJob>, options: JobOptions = {}): ApiPromise<Job> {
    return this.transport.json({ operation: "createJob", json: request, options: preferring(options) });
  }

  /** Cost and fingerprint of a job, without creating or charging anything. Scope: `jobs:write`. */
  quote(request: Given<PackRequest>, options: RequestOptions = {}): ApiPromise<JobQuote> {
    return this.transport.json({ operation: "quoteJob", json: request, options });
  }

  /** Reads a job. Scope: `jobs:read`. */
  get(jobId: string, options: JobOptions = {}): ApiPromise<Job> {
    return this.transport.json({ operation: "getJob", path: { jobId }, options: preferring(options) });
  }

  /** Renames a job and its pack; null removes the name. Scope: `jobs:write`. */
  update(jobId: string, changes: Given<UpdateJob>, options: RequestOptions = {}): ApiPromise<Job> {
    return this.transport.json({ operation: "updateJob", path: { jobId }, json: changes, options });
  }

  /**
   * Cancels a queued job; its cost is refunded. Throws a `ConflictError` while it is being rendered. Scope:
   * `jobs:write`.
   */
  cancel(jobId: string, options: RequestOptions = {}): ApiPromise<Job> {
    return this.transport.json({ operation: "cancelJob", path: { jobId }, options });
  }
}

/** Free, watermarked previews of a pack's first size. */
export class PreviewsResource extends Resource {
  /**
   * Renders the first size of a pack. Counts against the preview allowance, unless the preview is cached. Scope:
   * `previews:write`.
   */
  create(request: Given<CreatePreview>, options: RequestOptions = {}): ApiPromise<Preview> {
    return this.transport.json({ operation: "createPreview", json: request, options });
  }

  /** The remaining preview allowance. Scope: `previews:read`. */
  quota(options: RequestOptions = {}): ApiPromise<PreviewQuota> {
    return this.transport.json({ operation: "getPreviewQuota", options });
  }
}
