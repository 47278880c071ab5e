import type { Offer } from "#platform/bindings/offers.ts";
import { eventOf, type Metadata, type StripeEvent } from "./stripe-objects.ts";

/** What the service asked the provider to sell. */
export interface Order {
  readonly orderId: string;
  readonly workspaceId: string;
  readonly kind: "credits" | "top-up" | "plan";
  readonly offer: Offer;
}

/**
 * Stripe as a pure simulation: what is done there, the money it then holds, and the events it makes of it, in order. It
 * neither sends anything nor looks at a clock. Payments are in provider-payments.ts, plans in provider-plans.ts.
 */
export class Provider {
  /** Every event so far, oldest first. */
  readonly events: StripeEvent[] = [];
  /** Every order so far; the service keeps each before it asks. */
  readonly orders: Order[] = [];
  /** Seconds. Whoever moves it moves it forwards. */
  now: number;
  readonly #suffix: string;
  #made = 0;

  /** Its ids end with a suffix of its own, so that they meet those of no other. */
  constructor(suffix: string, now: number) {
    this.#suffix = suffix;
    this.now = now;
  }

  /** A new id. As at Stripe, its place in the alphabet tells nothing about when it was made. */
  newId(kind: string): string {
    this.#made += 1;
    // An odd factor meets each of 2^24 numbers once.
    const scattered = (this.#made * 0x9e3779) % 0x1000000;
    return `${kind}_${scattered.toString(36).padStart(5, "0")}_${this.#suffix}`;
  }

  /** Makes an event of an object as it is now. */
  tell(type: string, object: object, previous: object | null = null): void {
    this.events.push(eventOf(this.newId("evt"), type, this.now, object, previous));
  }

  /** Takes an order, and gives the metadata that the service sends with it. */
  order(workspaceId: string, kind: Order["kind"], offer: Offer): Metadata {
    const orderId = this.newId("order");
    this.orders.push({ orderId, workspaceId, kind, offer });
    return { orderId, workspaceId, offerId: offer.offerId, kind };
  }

  /** The customer that a workspace is. */
  customerOf(workspaceId: string): string {
    return `cus_${workspaceId}`;
  }
}
