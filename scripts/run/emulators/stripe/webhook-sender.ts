import { createHmac } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { StripeEvent } from "./objects.ts";

const RETRY_FIRST_MS = 100;
/** The real Stripe waits for up to hours between retries. */
const RETRY_MS_MAX = 5_000;
const ATTEMPTS_MAX = 200;
const ANSWER_MS_MAX = 30_000;

/**
 * The `Stripe-Signature` header, an HMAC-SHA-256 of time and body: https://docs.stripe.com/webhooks#verify-manually.
 */
export function signBody(body: string, secret: string, atSeconds = Math.floor(Date.now() / 1000)): string {
  const signature = createHmac("sha256", secret).update(`${atSeconds}.${body}`).digest("hex");
  return `t=${atSeconds},v1=${signature}`;
}

/** Sends each event to one URL until it is accepted, without a guaranteed order, like Stripe. */
export class WebhookSender {
  #url: string | null = null;
  readonly #secret: string;
  readonly #stopping = new AbortController();
  readonly #open = new Set<Promise<void>>();

  constructor(secret: string) {
    this.#secret = secret;
  }

  /** Sets the URL of events; before the first call nothing is sent. */
  pointAt(url: string): void {
    this.#url = url;
  }

  send(event: StripeEvent): void {
    if (this.#url === null || this.#stopping.signal.aborted) return;
    const sending = this.#sendUntilTaken(this.#url, event).catch(() => undefined);
    this.#open.add(sending);
    sending.finally(() => this.#open.delete(sending));
  }

  /** Resolves when everything sent so far was accepted. */
  async settled(): Promise<void> {
    while (this.#open.size > 0) await Promise.all(this.#open);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.settled();
  }

  async #sendUntilTaken(url: string, event: StripeEvent): Promise<void> {
    const body = JSON.stringify(event);
    const { signal } = this.#stopping;
    for (let attempt = 0; attempt < ATTEMPTS_MAX && !signal.aborted; attempt += 1) {
      if (await this.#isTaken(url, body)) return;
      const waitMs = Math.min(RETRY_FIRST_MS * 2 ** attempt, RETRY_MS_MAX);
      await delay(waitMs, undefined, { signal });
    }
  }

  async #isTaken(url: string, body: string): Promise<boolean> {
    try {
      const response = await fetch(url, {
        method: "POST",
        headers: {
          "Content-Type": "application/json; charset=utf-8",
          "Stripe-Signature": signBody(body, this.#secret),
        },
        body,
        redirect: "manual",
        signal: AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(ANSWER_MS_MAX)]),
      });
      await response.body?.cancel();
      return response.ok;
    } catch {
      return false;
    }
  }
}
