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

/** What a call about one job can be told. */
export interface JobOptions extends RequestOptions {
  /** Seconds to wait for the job's end, 30 at most. Its answer has `artifact` where it has succeeded by then. */
  readonly waitSeconds?: number | undefined;
}

const preferring = ({ waitSeconds, ...options }: JobOptions): RequestOptions =>
  waitSeconds === undefined
    ? options
    : { ...options, headers: { ...options.headers, Prefer: `wait=${waitSeconds}` } };

/** Orders for packs. `client.packs` does the same with waiting and downloading. */
export class JobsResource extends Resource {
  /** Jobs, newest first, without their `overrides`. Scope: `jobs:read`. */
  list(query: Operations["listJobs"]["query"] = {}, options: RequestOptions = {}): List<Job> {
    return new List((before = query.before) =>
      this.transport.json({ operation: "listJobs", query: { ...query, before }, options }),
    );
  }

  /**
   * Orders a pack and pays it, once for one idempotency key. With `assets` files are imported from their addresses first; an
   * order whose files take long is sent again, and continues with the same imports. Scope: `jobs:write`; with `assets` also
   * `assets:write`.
   */
  create(request: Given<CreateJob>, options: JobOptions = {}): ApiPromise<Job> {
    return this.transport.json({ operation: "createJob", json: request, options: preferring(options) });
  }

  /** What a job would cost and which fingerprint it would have. Creates and charges nothing. Scope: `jobs:write`. */
  quote(request: Given<PackRequest>, options: RequestOptions = {}): ApiPromise<JobQuote> {
    return this.transport.json({ operation: "quoteJob", json: request, options });
  }

  /** A job as it is now. Scope: `jobs:read`. */
  get(jobId: string, options: JobOptions = {}): ApiPromise<Job> {
    return this.transport.json({ operation: "getJob", path: { jobId }, options: preferring(options) });
  }

  /** Renames a job, and with it its pack; null takes the name away. Scope: `jobs:write`. */
  update(jobId: string, changes: Given<UpdateJob>, options: RequestOptions = {}): ApiPromise<Job> {
    return this.transport.json({ operation: "updateJob", path: { jobId }, json: changes, options });
  }

  /** Cancels a job that is still queued; its cost is given back. 409 while it is drawn. Scope: `jobs:write`. */
  cancel(jobId: string, options: RequestOptions = {}): ApiPromise<Job> {
    return this.transport.json({ operation: "cancelJob", path: { jobId }, options });
  }
}

/** Free, protected pictures of a pack's first size. */
export class PreviewsResource extends Resource {
  /** Draws the first size of a pack. Takes one of the allowance, unless it was drawn before. Scope: `previews:write`. */
  create(request: Given<CreatePreview>, options: RequestOptions = {}): ApiPromise<Preview> {
    return this.transport.json({ operation: "createPreview", json: request, options });
  }

  /** What is left of the allowance. Scope: `previews:read`. */
  quota(options: RequestOptions = {}): ApiPromise<PreviewQuota> {
    return this.transport.json({ operation: "getPreviewQuota", options });
  }
}
