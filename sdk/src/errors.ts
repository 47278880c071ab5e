import type { Asset, CanceledJob, ErrorCode, ErrorDetails, FailedJob } from "./generated/schemas.ts";

/** Base class of the errors of this package. Wrong arguments throw a TypeError. */
export class CreativePacksError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/**
 * `UNEXPECTED_ANSWER`: the response does not come from the API, but perhaps from a proxy. Future versions of the API
 * may add codes.
 */
export type ApiErrorCode = ErrorCode | "UNEXPECTED_ANSWER";

/** Content of an error response. */
export interface Refusal {
  readonly status: number;
  readonly code: ApiErrorCode;
  readonly message: string;
  readonly details: Partial<ErrorDetails>;
  readonly requestId: string | null;
  readonly headers: Headers;
}

/** The API returned an error, and nothing was created or charged. After `UNEXPECTED_ANSWER` the outcome is unknown. */
export class ApiError extends CreativePacksError {
  readonly status: number;
  /** Machine-readable error code. */
  readonly code: ApiErrorCode;
  /** The next safe action. */
  readonly nextAction: string;
  /** Quote this id when you contact the operator about the error. */
  readonly requestId: string | null;
  /** Whether the same call may succeed later. */
  readonly isRetryable: boolean;
  /** Additional members, depending on the code. */
  readonly details: Partial<ErrorDetails>;
  readonly headers: Headers;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.status = refusal.status;
    this.code = refusal.code;
    this.requestId = refusal.requestId;
    this.details = refusal.details;
    this.headers = refusal.headers;
    this.isRetryable = isRetryable(refusal);
    this.nextAction = refusal.details.nextAction ?? defaultAction(this.isRetryable);
  }
}

/** 401: the key is missing, wrong, expired or revoked. */
export class AuthenticationError extends ApiError {}
/**
 * 402: the workspace has too few credits, or the key's budget is exhausted (`BUDGET_EXHAUSTED`, until
 * `details.resetsAt`). See `details` for the required and the available credits.
 */
export class InsufficientCreditsError extends ApiError {}
/** 403: the key lacks a scope, or the workspace lacks paid access. */
export class PermissionError extends ApiError {}
/** 404: the resource does not exist in the workspace. */
export class NotFoundError extends ApiError {}
/** 409: a conflict with the idempotency key or the state of the resource. */
export class ConflictError extends ApiError {}
/** 400, 413, 415, 422: the request is invalid. */
export class ValidationError extends ApiError {}
/** 429: a rate limit or an allowance is exhausted. */
export class RateLimitError extends ApiError {}
/** 5xx: the service failed or is not configured. */
export class ServerError extends ApiError {}

const CLASS_OF_STATUS: Readonly<Record<number, typeof ApiError>> = {
  400: ValidationError,
  401: AuthenticationError,
  402: InsufficientCreditsError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  413: ValidationError,
  415: ValidationError,
  422: ValidationError,
  429: RateLimitError,
};

/** Creates the error of the class for a status. */
export function toApiError(refusal: Refusal): ApiError {
  const { status } = refusal;
  const Kind = CLASS_OF_STATUS[status] ?? (status >= 500 ? ServerError : ApiError);
  return new Kind(refusal);
}

/** Taken from the API's error, or derived from the status if the response does not come from the API. */
const isRetryable = ({ status, details }: Refusal): boolean =>
  details.safeToRetryUnchanged ?? (status === 408 || status === 429 || status >= 500);

const defaultAction = (mayPass: boolean): string =>
  mayPass
    ? "Send the same request again a little later."
    : "Check that `baseUrl` is the service's address and that nothing on the way answers for it.";

/** No complete response arrived: the network failed, or the response was truncated or damaged. */
export class ConnectionError extends CreativePacksError {
  readonly isRetryable: boolean = true;
}

/** No response arrived in time. */
export class TimeoutError extends ConnectionError {}

/** The caller's signal aborted the call. Requests already sent may have taken effect. */
export class AbortedError extends CreativePacksError {}

/** A pack failed or was canceled. Its cost was refunded. */
export class PackFailedError extends CreativePacksError {
  readonly job: FailedJob | CanceledJob;

  constructor(job: FailedJob | CanceledJob) {
    super(
      job.status === "failed"
        ? `The pack failed: ${job.failure.message}${job.failure.refunded ? " Its cost was refunded." : ""}`
        : "The pack was canceled, and its cost was refunded.",
    );
    this.job = job;
  }
}

/** The service rejected an imported file; see `asset.rejection`. */
export class AssetRejectedError extends CreativePacksError {
  readonly asset: Asset;

  constructor(asset: Asset) {
    super(asset.rejection?.message ?? "The file was not taken.");
    this.asset = asset;
  }
}

/**
 * An import was not ready in time; see `asset.import` for its attempts and last failure. The service continues:
 * `client.assets.get(asset.assetId)` returns the outcome, `client.assets.delete` stops it.
 */
export class ImportTimeoutError extends CreativePacksError {
  readonly asset: Asset;

  constructor(asset: Asset, limitMs: number) {
    const { attempts = 0, lastFailure, nextAttemptAt } = asset.import ?? {};
    const why =
      lastFailure == null ? "None of them has failed so far." : `The last failure: ${lastFailure.message}`;
    const next = nextAttemptAt == null ? "" : ` The next attempt is at ${nextAttemptAt}.`;
    super(
      `The import from ${asset.importedFrom} was not ready within ${limitMs / 1_000} s, after ${attempts} ` +
        `${attempts === 1 ? "attempt" : "attempts"}. ${why}${next} Check that the address can be reached from the ` +
        "internet, wait longer, or download the file and upload it.",
    );
    this.asset = asset;
  }
}

/** A file cannot be uploaded. The message says why and what to do. */
export class FileError extends CreativePacksError {}

/** A finished file could not be written; the message says where and why. `code` is the system's, such as `ENOSPC`. */
export class SaveError extends CreativePacksError {
  readonly code: string | null;

  constructor(message: string, code: string | null, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** A webhook's message has a wrong signature or is too old. Do not trust its content. */
export class SignatureError extends CreativePacksError {}
