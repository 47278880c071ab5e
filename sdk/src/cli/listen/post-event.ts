import { createHmac, randomBytes, randomUUID } from "node:crypto";
import type { Job } from "../../index.ts";
import { limitAttempt, wait } from "../../waiting.ts";
import { UsageError } from "../usage-error.ts";

/** Posts messages with the same body, headers and signature (Standard Webhooks) as the service's webhooks. */

const SECRET_PREFIX = "whsec_";
const SECRET_BYTES = 32;
const RECEIVER_TIMEOUT_MS = 15_000;
/** Delays before the retries in milliseconds. The service's own delays grow to hours. */
const RETRY_WAITS_MS: readonly number[] = [1_000, 5_000, 15_000, 30_000];

/** The given secret, or a new one for this run. Throws a `UsageError` if it is invalid. */
export function signingSecret(given: string | undefined): string {
  if (given === undefined) return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString("base64");
  if (/^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/.test(given)) return given;
  throw new UsageError(
    "--secret: give `whsec_` and 24 to 64 bytes in base64, or leave it away for a new one.",
  );
}

/** An attempt to post an event. */
export interface Attempt {
  readonly attempt: number;
  /** Null if there was no response. */
  readonly status: number | null;
  /** Reason why no response arrived; null if one did. */
  readonly error: string | null;
  /** Delay before the next attempt; null if this was the last. */
  readonly retryInMs: number | null;
}

/** Creates the message about an ended job. All attempts send the same message id. */
export function messageOf(job: Job, workspaceId: string) {
  const deliveryId = randomUUID();
  const type = `job.${job.status}`;
  const data = { deliveryId, workspaceId, livemode: job.livemode, job };
  return { deliveryId, type, payload: JSON.stringify({ type, timestamp: job.finishedAt, data }) };
}

/**
 * Posts a message until the receiver accepts it or answers 410, or all attempts have failed. Calls `onAttempt` after
 * each.
 */
export async function postEvent(
  url: string,
  secret: string,
  { deliveryId, payload }: ReturnType<typeof messageOf>,
  signal: AbortSignal,
  onAttempt: (attempt: Attempt) => void,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const { status, error } = await post(url, headersOf(secret, deliveryId, payload), payload, signal);
    const isFinal = status !== null && ((status >= 200 && status < 300) || status === 410);
    const retryInMs = isFinal ? null : (RETRY_WAITS_MS[attempt - 1] ?? null);
    onAttempt({ attempt, status, error, retryInMs });
    if (retryInMs === null) return;
    await wait(retryInMs, signal);
  }
}

function headersOf(secret: string, id: string, payload: string): Record<string, string> {
  const timestamp = Math.floor(Date.now() / 1_000);
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), "base64");
  const mac = createHmac("sha256", key).update(`${id}.${timestamp}.${payload}`).digest("base64");
  return {
    "Content-Type": "application/json",
    "User-Agent": "creative-packs-webhooks/1",
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": `v1,${mac}`,
  };
}

async function post(url: string, headers: Record<string, string>, body: string, signal: AbortSignal) {
  const limit = limitAttempt(RECEIVER_TIMEOUT_MS, signal);
  try {
    const init = { method: "POST", headers, body, redirect: "manual", signal: limit.signal } as const;
    const response = await fetch(url, init);
    await response.body?.cancel().catch(() => undefined);
    return { status: response.status, error: null };
  } catch (error) {
    const cause = error instanceof Error ? error.cause : null;
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "no answer";
    return { status: null, error: limit.isTimeUp() ? "no answer in time" : code };
  } finally {
    limit.release();
  }
}
