import { accept, type Outcome, refuse } from "#api/errors.ts";
import { log } from "#platform/log/log.ts";
import type { StripeLibrary } from "./stripe.ts";

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
 * thrown on. Whoever asks for something to be made gives an idempotency key, so that a repetition makes nothing twice.
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
