import type { Asset, CanceledJob, ErrorCode, ErrorDetails, FailedJob } from "./generated/schemas.ts";

/** Every error that this package throws is one of these. */
export class CreativePacksError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** `UNEXPECTED_ANSWER` is an answer that the API did not give, as a proxy's. A newer API may know further codes. */
export type ApiErrorCode = ErrorCode | "UNEXPECTED_ANSWER";

/** What the API said when it refused. */
export interface Refusal {
  readonly status: number;
  readonly code: ApiErrorCode;
  readonly message: string;
  readonly details: Partial<ErrorDetails>;
  readonly requestId: string | null;
  readonly headers: Headers;
}

/** The API refused. Nothing was created or charged. */
export class ApiError extends CreativePacksError {
  readonly status: number;
  /** For programs. */
  readonly code: ApiErrorCode;
  /** The nearest thing to do that is safe. */
  readonly nextAction: string;
  /** What to name when you ask the operator about it. */
  readonly requestId: string | null;
  /** Whether the same call may succeed later as it is. */
  readonly isRetryable: boolean;
  /** What more the code has to say. */
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

/** 401: no key, or one that is wrong or has ended. */
export class AuthenticationError extends ApiError {}
/**
 * 402: the workspace cannot pay, or the key has used up its budget (`BUDGET_EXHAUSTED`; `details.resetsAt` says until
 * when). `details` says what is required and what is available.
 */
export class InsufficientCreditsError extends ApiError {}
/** 403: the key lacks a scope, or the workspace paid access. */
export class PermissionError extends ApiError {}
/** 404: the workspace has no such thing. */
export class NotFoundError extends ApiError {}
/** 409: another use of the idempotency key, or a state that does not allow it. */
export class ConflictError extends ApiError {}
/** 400, 413, 415, 422: the request asks for what cannot be. */
export class ValidationError extends ApiError {}
/** 429: a window or an allowance is used up. */
export class RateLimitError extends ApiError {}
/** 5xx: the service failed, or lacks something. */
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

/** The error of a refusal, of the class that its status has. */
export function toApiError(refusal: Refusal): ApiError {
  const { status } = refusal;
  const Kind = CLASS_OF_STATUS[status] ?? (status >= 500 ? ServerError : ApiError);
  return new Kind(refusal);
}

/** As the API says; of an answer that is not the API's, by its status. */
const isRetryable = ({ status, details }: Refusal): boolean =>
  details.safeToRetryUnchanged ?? (status === 408 || status === 429 || status >= 500);

const defaultAction = (mayPass: boolean): string =>
  mayPass
    ? "Send the same request again a little later."
    : "Check that `baseUrl` is the service's address and that nothing on the way answers for it.";

/** No whole answer came: the network failed, or the answer broke off or arrived damaged. */
export class ConnectionError extends CreativePacksError {
  readonly isRetryable: boolean = true;
}

/** No answer came in time. */
export class TimeoutError extends ConnectionError {}

/** The caller's signal ended the call. What was sent before may have had its effect. */
export class AbortedError extends CreativePacksError {}

/** A pack ended without files. Its cost was given back. */
export class PackFailedError extends CreativePacksError {
  readonly job: FailedJob | CanceledJob;

  constructor(job: FailedJob | CanceledJob) {
    super(
      job.status === "failed"
        ? `The pack failed: ${job.failure.message}${job.failure.refunded ? " Its cost was given back." : ""}`
        : "The pack was canceled, and its cost given back.",
    );
    this.job = job;
  }
}

/** A file that the service fetched and does not take; `asset.rejection` says why. */
export class AssetRejectedError extends CreativePacksError {
  readonly asset: Asset;

  constructor(asset: Asset) {
    super(asset.rejection?.message ?? "The file was not taken.");
    this.asset = asset;
  }
}

/**
 * An import that was not ready in time; `asset.import` has its attempts and last failure. The service keeps trying:
 * `client.assets.get(asset.assetId)` says how it ends, `client.assets.delete` ends it.
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

/** A file that cannot be uploaded as it is; the message says why and what to do. */
export class FileError extends CreativePacksError {}

/** A finished file could not be written; the message says where and why. `code` is the system's, as `ENOSPC`. */
export class SaveError extends CreativePacksError {
  readonly code: string | null;

  constructor(message: string, code: string | null, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** A webhook's message that is not signed with the secret, or too old. Do not trust what it says. */
export class SignatureError extends CreativePacksError {}
