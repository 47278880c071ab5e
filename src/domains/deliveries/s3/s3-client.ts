import { AwsV4Signer } from "aws4fetch";
import { DELIVERY_LIMITS } from "#api/delivery-rules.ts";
import { clock } from "#platform/clock.ts";
import type { S3Settings } from "#platform/db/schema/index.ts";
import { httpClient, readLimited, readRetryAfter } from "#platform/outbound/http-client.ts";
import { type AttemptFailure, attemptFailed } from "../delivery.ts";
import type { S3Checksums, S3Failure } from "./s3-checksums.ts";

/** Requests to an S3-compatible store, with AWS Signature Version 4 and path-style URLs, which all stores accept. */

/** The encrypted part of a store's settings. */
export interface S3Secrets {
  readonly secretAccessKey: string;
}

export interface S3Store {
  readonly settings: S3Settings;
  readonly secrets: S3Secrets;
  readonly checksums: S3Checksums;
}

export interface S3Request {
  readonly method: "PUT" | "POST" | "HEAD" | "GET" | "DELETE";
  readonly key: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: ReadableStream<Uint8Array> | Uint8Array;
  /** SHA-256 of the body, lower-case hex: part of the canonical request, so that the store refuses other bytes. */
  readonly bodySha256?: string;
}

const EMPTY_SHA256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/** A 2xx response whose body must be read or discarded, or a failure. */
export type S3Response = { readonly kind: "ok"; readonly response: Response } | S3Failure;

/** Sends a request to the store. Does not follow redirects, which would bypass the address guard. */
export async function requestS3(store: S3Store, request: S3Request): Promise<S3Response> {
  const { endpoint, bucket, region, accessKeyId } = store.settings;
  const url = new URL(`${endpoint}/${bucket}/${request.key}`);
  for (const [name, value] of Object.entries(request.query ?? {})) url.searchParams.set(name, value);
  const nowMs = clock.now();
  const signed = await new AwsV4Signer({
    method: request.method,
    url: url.href,
    headers: { ...request.headers, "x-amz-content-sha256": request.bodySha256 ?? EMPTY_SHA256 },
    service: "s3",
    region,
    accessKeyId,
    secretAccessKey: store.secrets.secretAccessKey,
    datetime: new Date(nowMs).toISOString().replace(/[:-]|\.\d{3}/g, ""),
  }).sign();
  let response: Response;
  try {
    response = await httpClient.fetch(
      new Request(signed.url, {
        method: request.method,
        headers: signed.headers,
        ...(request.body === undefined ? {} : { body: request.body }),
        redirect: "manual",
        signal: AbortSignal.timeout(DELIVERY_LIMITS.storeTimeoutMs),
      }),
    );
  } catch {
    return attemptFailed("STORE_UNAVAILABLE", "The store could not be reached in time.");
  }
  if (response.ok) return { kind: "ok", response };
  const text = await readLimited(response, DELIVERY_LIMITS.answerBytesMax).catch(() => "");
  return s3FailureOf(response, errorCodeOf(text), nowMs);
}

/** 4xx statuses after which the same request may succeed. */
const RETRYABLE_STATUSES = [408, 409, 410, 425, 429];
/** Error codes of 400 responses after which the same request may succeed. */
const RETRYABLE_CODES = ["RequestTimeout", "IncompleteBody", "SlowDown", "InternalError", "OperationAborted"];
const DIGEST_CODES = [
  "BadDigest",
  "InvalidDigest",
  "XAmzContentSHA256Mismatch",
  "XAmzContentChecksumMismatch",
];

/**
 * Error codes of 400 and 501 with which stores refuse unsupported checksum headers or elements. The empty code stands
 * for a response without a body, as to a HEAD request.
 */
const CHECKSUM_REFUSED_CODES = ["NotImplemented", "InvalidArgument", "InvalidRequest", "MalformedXML", ""];

/** The error code in S3's XML, or empty. */
export const errorCodeOf = (text: string): string =>
  /<Code>([A-Za-z0-9]{1,64})<\/Code>/.exec(text)?.[1] ?? "";

/** The failure of an attempt after an error response of the store. */
export function s3FailureOf(response: Response, code: string, nowMs: number): S3Failure {
  const mayRefuseChecksums = [400, 501].includes(response.status) && CHECKSUM_REFUSED_CODES.includes(code);
  return { ...failureOf(response, code, nowMs), mayRefuseChecksums };
}

function failureOf(response: Response, code: string, nowMs: number): AttemptFailure {
  const { status } = response;
  const error = `${status}${code === "" ? "" : ` ${code}`}`;
  if (DIGEST_CODES.includes(code)) {
    return attemptFailed(
      "CHECKSUM_MISMATCH",
      `The store found other bytes than were sent: ${error}.`,
      status,
    );
  }
  if (status >= 500 || RETRYABLE_STATUSES.includes(status) || RETRYABLE_CODES.includes(code)) {
    const retryAfter = readRetryAfter(response.headers.get("Retry-After"), nowMs);
    return attemptFailed("STORE_UNAVAILABLE", `The store answered ${error}.`, status, retryAfter);
  }
  const advice =
    status >= 300 && status < 400
      ? " Redirects are not followed; check endpoint and region."
      : " Check endpoint, bucket, region, and what the access key may do.";
  return attemptFailed("STORE_REFUSED", `The store answered ${error}.${advice}`, status);
}
