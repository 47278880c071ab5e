import { ERRORS } from "../contract/errors.ts";
import { isKeyRefusal, KEY_CHALLENGE } from "./envelope.ts";
import type { Operation, ResponseObject } from "./openapi-document.ts";
import { errorCodesOf, hasParameter } from "./openapi-errors.ts";
import { RATE_LIMIT_HEADERS } from "./operation.ts";

/** Which headers a response carries, as far as that follows from its operation and status. */

const { "X-Request-ID": REQUEST_ID_HEADER, ...WINDOW_HEADERS } = RATE_LIMIT_HEADERS;

const REPLAYED_HEADER = {
  description:
    "`true` when an earlier request with this Idempotency-Key made what is shown; absent otherwise.",
  schema: { type: "boolean" },
};

const RETRY_AFTER_HEADER = {
  description: "Seconds to wait, where waiting helps.",
  schema: { type: "integer", minimum: 1 },
};

const CHALLENGE_HEADER = {
  description: "How to authenticate (RFC 9110).",
  schema: { type: "string" },
  example: KEY_CHALLENGE,
};

const ETAG_HEADER = {
  description: "Send it as `If-None-Match` to be told 304 as long as nothing has changed.",
  schema: { type: "string" },
};

const isCounted = (operation: Operation): boolean => errorCodesOf(operation, 429).includes("RATE_LIMITED");

function headersOfSuccess(operation: Operation, status: number): Record<string, unknown> {
  const isReplay = status === 200 && hasParameter(operation, "idempotency-key");
  const hasEtag = status === 304 || (status === 200 && "304" in operation.responses);
  return {
    "X-Request-ID": REQUEST_ID_HEADER,
    ...(isCounted(operation) && WINDOW_HEADERS),
    ...(isReplay && { "Idempotent-Replayed": REPLAYED_HEADER }),
    ...(hasEtag && { ETag: ETAG_HEADER }),
  };
}

function headersOfRefusal(operation: Operation, status: number): Record<string, unknown> {
  const codes = errorCodesOf(operation, status);
  const passes = codes.some((code) => ERRORS[code].retryAfterSeconds !== undefined);
  return {
    "X-Request-ID": REQUEST_ID_HEADER,
    ...(status === 429 && isCounted(operation) && WINDOW_HEADERS),
    ...(passes && { "Retry-After": RETRY_AFTER_HEADER }),
    ...(codes.some(isKeyRefusal) && { "WWW-Authenticate": CHALLENGE_HEADER }),
  };
}

/** Adds what the operation's kind adds to the headers of a response; where no window is counted, none tells of one. */
export function describeHeaders(response: ResponseObject, operation: Operation, status: number): void {
  const own = Object.entries(response.headers ?? {}).filter(([name]) => !(name in WINDOW_HEADERS));
  const derived = status < 400 ? headersOfSuccess(operation, status) : headersOfRefusal(operation, status);
  response.headers = { ...derived, ...Object.fromEntries(own) };
}
