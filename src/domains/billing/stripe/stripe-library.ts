import { accept, type Outcome, refuse } from "#api/errors.ts";
import type { BillingService } from "#platform/bindings/capabilities.ts";
import { loadOnce } from "#platform/concurrency/load-once.ts";
import { log } from "#platform/log/log.ts";
import { httpClient } from "#platform/outbound/http-client.ts";

const loadStripe = loadOnce(() => import("stripe"));

/** Longer than Stripe takes to create an object; a user waits for the response. */
const TIMEOUT_MS = 10_000;
/** The library retries failed requests under the same idempotency key. */
const RETRIES_MAX = 1;

/** Stripe's address for the library; empty for the default. */
function addressOf(apiOrigin: string | null) {
  if (apiOrigin === null) return {};
  const { protocol, hostname, port } = new URL(apiOrigin);
  const isSecure = protocol === "https:";
  return {
    protocol: isSecure ? ("https" as const) : ("http" as const),
    host: hostname,
    port: port === "" ? (isSecure ? 443 : 80) : Number(port),
  };
}

/** Sets up the library for one Stripe account. Loaded by the first request that needs it, never at start. */
async function createStripe({ secretKey, apiOrigin }: BillingService) {
  const { Stripe } = await loadStripe();
  return {
    client: new Stripe(secretKey, {
      httpClient: Stripe.createFetchHttpClient((input: RequestInfo | URL, init?: RequestInit) =>
        httpClient.fetch(new Request(input, init)),
      ),
      timeout: TIMEOUT_MS,
      maxNetworkRetries: RETRIES_MAX,
      telemetry: false,
      ...addressOf(apiOrigin),
    }),
    cryptoProvider: Stripe.createSubtleCryptoProvider(),
    errors: Stripe.errors,
  };
}

export type StripeLibrary = Awaited<ReturnType<typeof createStripe>>;

let opened: { readonly service: BillingService; readonly library: StripeLibrary } | null = null;

/**
 * Stripe's library for this origin's account. Only a finished instance is cached, so that an aborted request leaves no
 * pending promise for others.
 */
export async function openStripe(service: BillingService): Promise<StripeLibrary> {
  if (opened?.service === service) return opened.library;
  const library = await createStripe(service);
  opened = { service, library };
  return library;
}

/** Stripe's codes and types are short words such as `resource_missing`; anything else is not logged. */
const WORD = /^[A-Za-z_]{1,60}$/;
const isWord = (text: string | undefined): text is string => text !== undefined && WORD.test(text);

const logFailure = ({ type, code }: { readonly type: string; readonly code?: string | undefined }): void =>
  log.failure({
    event: "payment_provider_failed",
    ...(isWord(type) ? { errorName: type } : {}),
    ...(isWord(code) ? { code } : {}),
  });

/**
 * Runs a request to Stripe. 503 SERVICE_UNAVAILABLE when Stripe is unreachable or overloaded; 409 IDEMPOTENCY_CONFLICT
 * when the idempotency key was used for another request; 502 PAYMENT_PROVIDER_FAILED when Stripe refuses it, which an
 * operator has to fix: a wrong key, a missing price (docs.stripe.com/error-handling). Other errors are rethrown.
 * Requests that create something pass an idempotency key, so that a retry creates nothing twice.
 */
export async function askStripe<T>({ errors }: StripeLibrary, ask: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return accept(await ask());
  } catch (thrown) {
    if (!(thrown instanceof errors.StripeError)) throw thrown;
    if (thrown instanceof errors.StripeIdempotencyError) {
      return refuse("IDEMPOTENCY_CONFLICT", "This Idempotency-Key was used for another purchase.");
    }
    logFailure(thrown);
    const isPassing =
      thrown instanceof errors.StripeConnectionError ||
      thrown instanceof errors.StripeAPIError ||
      thrown instanceof errors.StripeRateLimitError;
    return isPassing
      ? refuse("SERVICE_UNAVAILABLE", "The payment provider does not answer.")
      : refuse("PAYMENT_PROVIDER_FAILED", "The payment provider refused the request.");
  }
}

/** Limits the use of an intercepted signature (docs.stripe.com/webhooks/signature). */
const SIGNATURE_AGE_SECONDS_MAX = 300;
/**
 * Tolerance for differing clocks. An event dated later would override newer facts about a plan until its time has come.
 */
const FUTURE_SECONDS_MAX = 300;

/** A request to the webhook as received. */
export interface SignedEvent {
  readonly body: string;
  /** `Stripe-Signature`; empty when missing. */
  readonly signature: string;
  readonly nowMs: number;
}

/** The library accepts a NaN timestamp, and one in the future, so check it here. */
function hasValidTimestamp(signature: string, nowMs: number): boolean {
  const times = signature.split(",").filter((part) => part.startsWith("t="));
  const [, seconds] = /^t=(\d{1,12})$/.exec(times.join()) ?? [];
  return seconds !== undefined && !isInFuture(Number(seconds), nowMs);
}

export const isInFuture = (seconds: number, nowMs: number): boolean =>
  seconds > nowMs / 1_000 + FUTURE_SECONDS_MAX;

const forged = () =>
  refuse("SIGNATURE_INVALID", "The event is not signed with the current secret, or was signed too long ago.");

/**
 * The unparsed event of a request signed by Stripe. 400 SIGNATURE_INVALID when it is forged, altered or older than five
 * minutes.
 */
export async function verifySignature(
  service: BillingService,
  { body, signature, nowMs }: SignedEvent,
): Promise<Outcome<unknown>> {
  if (!hasValidTimestamp(signature, nowMs)) return forged();
  const { client, cryptoProvider, errors } = await openStripe(service);
  try {
    const age = SIGNATURE_AGE_SECONDS_MAX;
    const { webhooks } = client;
    return accept<unknown>(
      await webhooks.constructEventAsync(body, signature, service.webhookSecret, age, cryptoProvider, nowMs),
    );
  } catch (thrown) {
    if (thrown instanceof errors.StripeSignatureVerificationError) return forged();
    throw thrown;
  }
}
