import { z } from "zod";
import { accept, type Outcome, refuse } from "#api/errors.ts";
import type { BillingService } from "#platform/bindings/capabilities.ts";
import type { Offer } from "#platform/bindings/offers.ts";
import { log } from "#platform/log/log.ts";
import { type BillingEvent, billingFactSchema } from "../billing-event.ts";
import { openStripe } from "../stripe/stripe.ts";
import { EVENT_READERS, workspaceIdOf } from "./stripe-events.ts";

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

const envelope = z.object({
  id: z.string().min(1).max(255),
  type: z.string().min(1).max(255),
  created: z.int().min(0),
  data: z.object({ object: z.unknown() }),
});

/** The library takes a time that is no number, or in the future, for a recent one. */
function hasOneTime(signature: string, nowMs: number): boolean {
  const times = signature.split(",").filter((part) => part.startsWith("t="));
  const [, seconds] = /^t=(\d{1,12})$/.exec(times.join()) ?? [];
  return seconds !== undefined && !isInFuture(Number(seconds), nowMs);
}

const isInFuture = (seconds: number, nowMs: number): boolean => seconds > nowMs / 1_000 + FUTURE_SECONDS_MAX;

const forged = () =>
  refuse("SIGNATURE_INVALID", "The event is not signed with the present secret, or was signed too long ago.");

/**
 * The event of a request that Stripe signed; null for one that is of no use to us, which needs no answer but 200. 400
 * SIGNATURE_INVALID for anything else: forged, altered, or older than five minutes; 400 INVALID_REQUEST for one that is dated
 * in the future, which Stripe sends again for three days, so that it is taken once its time has come. Throws for one that it did
 * sign and that has not the form we know: Stripe then sends it again for three days, in which somebody may look.
 */
export async function verifyEvent(
  service: BillingService,
  { body, signature, nowMs }: SignedEvent,
): Promise<Outcome<BillingEvent | null>> {
  if (!hasOneTime(signature, nowMs)) return forged();
  const { client, cryptoProvider, errors } = await openStripe(service);
  try {
    const event: unknown = await client.webhooks.constructEventAsync(
      body,
      signature,
      service.webhookSecret,
      SIGNATURE_AGE_SECONDS_MAX,
      cryptoProvider,
      nowMs,
    );
    const read = readOrLog(event, service.offers);
    if (read === null || !isInFuture(read.occurredAt, nowMs)) return accept(read);
    log.failure({ event: "billing_event_in_future", eventId: read.eventId });
    return refuse("INVALID_REQUEST", "The event is dated in the future.");
  } catch (thrown) {
    if (thrown instanceof errors.StripeSignatureVerificationError) return forged();
    throw thrown;
  }
}

function readOrLog(event: unknown, offers: readonly Offer[]): BillingEvent | null {
  try {
    return readEvent(event, offers);
  } catch (thrown) {
    const eventId = envelope.pick({ id: true }).safeParse(event).data?.id;
    log.failure({ event: "billing_event_unreadable", ...(eventId === undefined ? {} : { eventId }) });
    throw thrown;
  }
}

/**
 * The facts of an event of Stripe; null for one of no use to us. Plans are told by their prices in `offers`. Throws where
 * it has not the form we know.
 */
export function readEvent(event: unknown, offers: readonly Offer[]): BillingEvent | null {
  const { id: eventId, type, created: occurredAt, data } = envelope.parse(event);
  const fact = EVENT_READERS.get(type)?.(data.object, offers) ?? null;
  if (fact === null) return null;
  const workspaceId = workspaceIdOf(data.object);
  const named = workspaceId === undefined ? {} : { workspaceId };
  return { eventId, type, occurredAt, fact: billingFactSchema.parse(fact), ...named };
}
