import { accept, type Outcome, refuse } from "#api/errors.ts";
import type { BillingService } from "#platform/bindings/capabilities.ts";
import { loadOnce } from "#platform/concurrency/load-once.ts";
import { log } from "#platform/log/log.ts";
import { httpClient } from "#platform/outbound/http-client.ts";

const loadStripe = loadOnce(() => import("stripe"));

/** Longer than Stripe takes to make anything; a person waits for it. */
const TIMEOUT_MS = 10_000;
/** The library repeats what failed on the way, under the same idempotency key. */
const RETRIES_MAX = 1;

/** Where Stripe is looked for, as the library takes it; empty for its own address. */
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

/** The library, set up for one account at Stripe. It is loaded at the first request that needs it, never at start. */
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
 * Stripe's library for this origin's account. Only one that stands is kept: a request that is cut off while it loads the
 * library leaves nothing that others would wait for.
 */
export async function openStripe(service: BillingService): Promise<StripeLibrary> {
  if (opened?.service === service) return opened.library;
  const library = await createStripe(service);
  opened = { service, library };
  return library;
}

/** Codes and types of Stripe are short words, as `resource_missing`; anything else stays out of the log. */
const WORD = /^[A-Za-z_]{1,60}$/;
const isWord = (text: string | undefined): text is string => text !== undefined && WORD.test(text);

const logFailure = ({ type, code }: { readonly type: string; readonly code?: string | undefined }): void =>
  log.failure({
    event: "payment_provider_failed",
    ...(isWord(type) ? { errorName: type } : {}),
    ...(isWord(code) ? { code } : {}),
  });

/**
 * What Stripe answers. 503 SERVICE_UNAVAILABLE where it does not, or has too much to do; 409 IDEMPOTENCY_CONFLICT where the
 * idempotency key was used for something else; 502 PAYMENT_PROVIDER_FAILED where it refuses what was asked, which the
 * operator has to look into: a wrong key, a price that is not there (docs.stripe.com/error-handling). Other errors are
 * thrown on. A caller that has something made gives an idempotency key, so that a repeated request makes nothing twice.
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

/** Older signatures are refused, so that one that is overheard is soon worthless (docs.stripe.com/webhooks/signature). */
const SIGNATURE_AGE_SECONDS_MAX = 300;
/**
 * How far in the future a signature or an event may be dated: clocks differ. A later one would replace what is known of a
 * plan until its time has come.
 */
const FUTURE_SECONDS_MAX = 300;

/** A request to the webhook, as it came. */
export interface SignedEvent {
  readonly body: string;
  /** `Stripe-Signature`; empty where it is missing. */
  readonly signature: string;
  readonly nowMs: number;
}

/** The library takes a time that is no number, or in the future, for a recent one. */
function hasOneTime(signature: string, nowMs: number): boolean {
  const times = signature.split(",").filter((part) => part.startsWith("t="));
  const [, seconds] = /^t=(\d{1,12})$/.exec(times.join()) ?? [];
  return seconds !== undefined && !isInFuture(Number(seconds), nowMs);
}

export const isInFuture = (seconds: number, nowMs: number): boolean =>
  seconds > nowMs / 1_000 + FUTURE_SECONDS_MAX;

const forged = () =>
  refuse("SIGNATURE_INVALID", "The event is not signed with the present secret, or was signed too long ago.");

/**
 * The event of a request that Stripe signed, not read yet. 400 SIGNATURE_INVALID for anything else: forged, altered, or older
 * than five minutes.
 */
export async function verifySignature(
  service: BillingService,
  { body, signature, nowMs }: SignedEvent,
): Promise<Outcome<unknown>> {
  if (!hasOneTime(signature, nowMs)) return forged();
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
