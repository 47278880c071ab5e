import type { BillingService } from "#platform/bindings/capabilities.ts";
import { loadOnce } from "#platform/concurrency/load-once.ts";
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
