import { AwsV4Signer } from "aws4fetch";
import { DELIVERY_LIMITS } from "../contract/deliveries.ts";
import type { StoreSettings } from "../db/schema/index.ts";
import { clock } from "../platform/clock.ts";
import { outbound, readLimited } from "../platform/outbound.ts";
import { type AttemptFailure, attemptFailed, readRetryAfter } from "./delivery.ts";
import type { StoreSecrets } from "./destination.ts";
import type { StoreChecksums, StoreFailure } from "./store-checksums.ts";

/** Signed requests to an S3-compatible store, path style, which all of them take. */

export interface Store {
  readonly settings: StoreSettings;
  readonly secrets: StoreSecrets;
  readonly checksums: StoreChecksums;
}

export interface StoreRequest {
  readonly method: "PUT" | "POST" | "HEAD" | "GET" | "DELETE";
  readonly key: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: ReadableStream<Uint8Array> | Uint8Array;
  /** SHA-256 of the body, lower-case hex: it is signed, and the store refuses other bytes. */
  readonly bodySha256?: string;
}

/** SHA-256 of nothing. */
const EMPTY_SHA256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/** What a store answered: a success to be read on, or why it counts as failed. */
export type StoreAnswer = { readonly kind: "answered"; readonly response: Response } | StoreFailure;

/** Asks the store. Redirects are not followed: they would lead around the guard. */
export async function askStore(store: Store, request: StoreRequest): Promise<StoreAnswer> {
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
    response = await outbound.fetch(
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
  if (response.ok) return { kind: "answered", response };
  const text = await readLimited(response, DELIVERY_LIMITS.answerBytesMax).catch(() => "");
  return refusalOf(response, errorCodeOf(text), nowMs);
}

/** Statuses of 4xx after which the same request may succeed. */
const PASSING_STATUSES = [408, 409, 410, 425, 429];
/** Codes of 400 that tell of the transfer and not of the request. */
const PASSING_CODES = ["RequestTimeout", "IncompleteBody", "SlowDown", "InternalError", "OperationAborted"];
const DIGEST_CODES = [
  "BadDigest",
  "InvalidDigest",
  "XAmzContentSHA256Mismatch",
  "XAmzContentChecksumMismatch",
];

/**
 * Codes of 400 and 501 under which stores refuse a header or an element that they do not have. None at all stands for
 * an answer without a body, as HEAD has it.
 */
const HEADER_CODES = ["NotImplemented", "InvalidArgument", "InvalidRequest", "MalformedXML", ""];

/** The error's name in S3's XML; empty when there is none. Nothing else of the text is kept. */
export const errorCodeOf = (text: string): string =>
  /<Code>([A-Za-z0-9]{1,64})<\/Code>/.exec(text)?.[1] ?? "";

/** What a refusal of the store means for the attempt. */
export function refusalOf(response: Response, code: string, nowMs: number): StoreFailure {
  const isAboutHeaders = [400, 501].includes(response.status) && HEADER_CODES.includes(code);
  return { ...failureOf(response, code, nowMs), isAboutHeaders };
}

function failureOf(response: Response, code: string, nowMs: number): AttemptFailure {
  const { status } = response;
  const said = `${status}${code === "" ? "" : ` ${code}`}`;
  if (DIGEST_CODES.includes(code)) {
    return attemptFailed("CHECKSUM_MISMATCH", `The store found other bytes than were sent: ${said}.`, status);
  }
  if (status >= 500 || PASSING_STATUSES.includes(status) || PASSING_CODES.includes(code)) {
    const retryAfter = readRetryAfter(response.headers.get("Retry-After"), nowMs);
    return attemptFailed("STORE_UNAVAILABLE", `The store answered ${said}.`, status, retryAfter);
  }
  const advice =
    status >= 300 && status < 400
      ? " Redirects are not followed; check endpoint and region."
      : " Check endpoint, bucket, region, and what the access key may do.";
  return attemptFailed("STORE_REFUSED", `The store answered ${said}.${advice}`, status);
}
