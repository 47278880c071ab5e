import { LIMITS } from "#api/limits.ts";
import type { Rejection } from "#api/schemas/asset.ts";
import { SLOTS, type SlotId } from "#api/slots.ts";
import { describeUnsupportedFormat, type UnsupportedFormat } from "#renderer/decode/unsupported-format.ts";

/**
 * Reasons why an import attempt failed. Messages contain nothing of the URL and nothing that the server sent except its
 * status.
 */
export interface ImportFailure {
  readonly kind: "failed";
  readonly rejection: Rejection;
  /** Message of this attempt, shown while more attempts follow. */
  readonly attemptMessage: string;
  /** Whether a retry may succeed; after the last attempt the asset is rejected with `rejection`. */
  readonly isTemporary: boolean;
  /** The server's Retry-After. */
  readonly retryAfterSeconds: number | null;
}

const failed = (code: Rejection["code"], message: string): ImportFailure => ({
  kind: "failed",
  rejection: { code, message },
  attemptMessage: message,
  isTemporary: false,
  retryAfterSeconds: null,
});

const unavailable = (what: string, retryAfterSeconds: number | null = null): ImportFailure => ({
  ...failed(
    "SOURCE_UNAVAILABLE",
    `${what}, also after several attempts. Import the address again later, or download the file and upload it.`,
  ),
  attemptMessage: `${what}.`,
  isTemporary: true,
  retryAfterSeconds,
});

export const addressRefused = (reason: string, isRedirect: boolean): ImportFailure =>
  failed(
    "ADDRESS_REFUSED",
    isRedirect
      ? `The server redirects to an address that is not fetched. ${reason} Import the file's final address.`
      : reason,
  );

export const tooManyRedirects = (): ImportFailure =>
  failed(
    "TOO_MANY_REDIRECTS",
    `The server redirects more than ${LIMITS.importRedirectsMax} times. Import the file's final address.`,
  );

export const unreachable = (): ImportFailure => unavailable("The server could not be reached");

export const timedOut = (): ImportFailure =>
  unavailable(
    `The server was too slow: the first byte may take ${LIMITS.importWindowMs / 1_000} seconds, each ` +
      `${LIMITS.importWindowMs / 1_000} seconds after it must bring ${LIMITS.importBytesPerWindowMin} bytes, and the ` +
      `whole file may take ${LIMITS.importTimeoutMs / 1_000} seconds`,
  );

export const brokenOff = (): ImportFailure => unavailable("The server broke off while it sent the file");

/**
 * Whether importing the same address again may succeed, because the server or this service was at fault, not the file.
 */
export const mayImportAgain = ({ code }: Rejection): boolean =>
  ["SOURCE_UNAVAILABLE", "SOURCE_REFUSED", "IMPORT_EXPIRED", "IMPORT_FAILED"].includes(code);

/** Temporary statuses below 500: request timeout, too early, too many requests. */
const PASSING_STATUSES: readonly number[] = [408, 425, 429];

const ADVICE: Readonly<Record<number, string>> = {
  401: "Import an address that needs no sign-in, such as a signed one.",
  403: "Import an address that needs no sign-in, such as a signed one that has not expired.",
  404: "Check the address; it may be mistyped or the file removed.",
  410: "The file was removed; import another address.",
};

/** The failure for a response with a status other than 200. */
export function answered(status: number, retryAfterSeconds: number | null): ImportFailure {
  if (status >= 500 || PASSING_STATUSES.includes(status)) {
    return unavailable(`The server answered ${status}`, retryAfterSeconds);
  }
  const advice = ADVICE[status] ?? "Import an address at which a GET answers 200 with the file.";
  return failed("SOURCE_REFUSED", `The server answered ${status}. ${advice}`);
}

export const tooLarge = (): ImportFailure =>
  failed(
    "TOO_LARGE",
    `The file is larger than ${LIMITS.uploadBytesMax} bytes. Import a smaller version of it.`,
  );

export const empty = (): ImportFailure =>
  failed("EMPTY", "The server sent no bytes. Check the address in a browser.");

/** The message begins with `found`, unless `foreign` is a known unsupported format, which has its own message. */
export const wrongType = (
  slotId: SlotId,
  found: string,
  foreign: UnsupportedFormat | null = null,
): ImportFailure =>
  failed(
    "UNSUPPORTED",
    foreign !== null
      ? describeUnsupportedFormat(foreign)
      : `${found}; \`${slotId}\` takes ${SLOTS[slotId].accepts.join(", ")}. Import the address of the file itself.`,
  );

export const invalidContent = (rejection: Rejection): ImportFailure =>
  failed(rejection.code, rejection.message);

/** Rejection after the last attempt, when this service is at fault. */
export const IMPORT_FAILED: Rejection = {
  code: "IMPORT_FAILED",
  message:
    "The service failed to import the file. Import the address again, or download the file and upload it.",
};
