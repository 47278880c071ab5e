import { openClient, uploadAsset } from "../../bench/workerd/client.ts";
import { LOGO } from "../fault/logo.ts";

/** Requests to a worker over HTTP, many at a time. */

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers are read member by member, whatever they hold.
  readonly body: any;
  /** Seconds; null where the answer does not name any. */
  readonly retryAfterS: number | null;
}

export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly secret: string;
  readonly body?: unknown;
  readonly idempotencyKey?: string;
}

/** Longer than any answer takes on a busy machine; a request beyond it counts as hung. */
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
  // Bytes are of no use to these tests; the text of an unforeseen error is.
  const plain = response.ok ? null : text;
  const retryAfter = response.headers.get("Retry-After");
  return {
    status: response.status,
    body: isJson ? JSON.parse(text) : plain,
    retryAfterS: retryAfter === null ? null : Number(retryAfter),
  };
}

/** Whether the workspace is being moved: nothing was written, and the same request may be sent again. */
export const isMoving = ({ status, body }: Answer): boolean =>
  status === 429 && body?.error?.code === "SERVICE_BUSY";

/** Waits as long as an answer says before the same request may be sent again. */
export const untilRetryAfter = ({ retryAfterS }: Answer): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, (retryAfterS ?? 0) * 1_000));

/** Between two looks at what is under way: what looks without a pause takes the time of what draws. */
const LOOK_PAUSE_MS = 200;

/** Settles when it is time to look again. */
export const untilNextLook = (): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, LOOK_PAUSE_MS));

/** Does all of it, at most `width` at a time; the results are in the order of the items. */
export async function atATime<T, R>(
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

/** Uploads the logo and gives its asset id. */
export const uploadLogo = (origin: string, secret: string): Promise<string> =>
  uploadAsset(openClient(origin, secret), "logo", Uint8Array.from(LOGO));

/** A request for a pack of the logo in so many small sizes. */
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
