import { openClient, uploadAsset } from "../../bench/workerd/client.ts";
import { LOGO } from "../fault/logo.ts";

/** Concurrent HTTP requests to a worker. */

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers are read member by member, whatever they hold.
  readonly body: any;
  /** In seconds; null if the response has none. */
  readonly retryAfterS: number | null;
}

export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly secret: string;
  readonly body?: unknown;
  readonly idempotencyKey?: string;
}

/** Longer than any response takes on a busy machine. A longer request counts as hung. */
const ANSWER_MS_MAX = 120_000;

export async function ask(origin: string, sent: Sent): Promise<Answer> {
  const { method, path, secret, body, idempotencyKey } = sent;
  const headers = new Headers({ Authorization: `Bearer ${secret}` });
  if (idempotencyKey !== undefined) headers.set("Idempotency-Key", idempotencyKey);
  if (body !== undefined) headers.set("Content-Type", "application/json");
  const response = await fetch(new URL(path, origin), {
    method,
    headers,
    body: body === undefined ? null : JSON.stringify(body),
    signal: AbortSignal.timeout(ANSWER_MS_MAX),
  });
  const text = await response.text();
  const isJson = response.headers.get("Content-Type")?.includes("json") ?? false;
  // The tests ignore file bytes, but show the text of an unexpected error.
  const plain = response.ok ? null : text;
  const retryAfter = response.headers.get("Retry-After");
  return {
    status: response.status,
    body: isJson ? JSON.parse(text) : plain,
    retryAfterS: retryAfter === null ? null : Number(retryAfter),
  };
}

/**
 * Whether the request was refused because the workspace is being moved. Nothing was written, and the request may be
 * repeated.
 */
export const isMoving = ({ status, body }: Answer): boolean =>
  status === 429 && body?.error?.code === "SERVICE_BUSY";

/** Waits for a response's Retry-After. */
export const untilRetryAfter = ({ retryAfterS }: Answer): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, (retryAfterS ?? 0) * 1_000));

/** Pause between two polls; constant polling would take time from drawing. */
const LOOK_PAUSE_MS = 200;

/** Waits until the next poll. */
export const untilNextLook = (): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, LOOK_PAUSE_MS));

/** Runs tasks over items, at most `width` at a time. Results have the items' order. */
export async function mapAtOnce<T, R>(
  width: number,
  items: readonly T[],
  work: (item: T, at: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const waiting = [...items.entries()];
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      results[next[0]] = await work(next[1], next[0]);
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
  return results;
}

/** Uploads the logo and returns its asset id. */
export const uploadLogo = (origin: string, secret: string): Promise<string> =>
  uploadAsset(openClient(origin, secret), "logo", Uint8Array.from(LOGO));

/** A request for a pack of the logo in `sizes` small sizes. */
export const jobRequest = (secret: string, logoId: string, idempotencyKey: string, sizes = 1): Sent => ({
  method: "POST",
  path: "/api/v1/jobs",
  secret,
  idempotencyKey,
  body: {
    contractId: "display.v1",
    selectedSizeIds: ["iab-320x50", "iab-120x60", "iab-300x50"].slice(0, sizes),
    assetIds: { logo: logoId },
  },
});
