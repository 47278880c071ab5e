import type { Offer } from "#platform/bindings/offers.ts";
import { eventOf, type Metadata, type StripeEvent } from "./stripe-objects.ts";

/** An order that the service placed. */
export interface Order {
  readonly orderId: string;
  readonly workspaceId: string;
  readonly kind: "credits" | "top-up" | "plan";
  readonly offer: Offer;
}

/**
 * A pure simulation of Stripe: actions, the resulting money, and the resulting events in order. It sends nothing and
 * reads no clock. Payments are in provider-payments.ts, plans in provider-plans.ts.
 */
export class Provider {
  /** All events, oldest first. */
  readonly events: StripeEvent[] = [];
  /** All orders; the service stores each before its request. */
  readonly orders: Order[] = [];
  /** Unix time in seconds, which never decreases. */
  now: number;
  readonly #suffix: string;
  #made = 0;

  /** `suffix` makes this provider's ids differ from those of other instances. */
  constructor(suffix: string, now: number) {
    this.#suffix = suffix;
    this.now = now;
  }

  /** A new id. As at Stripe, ids are not in order of creation. */
  newId(kind: string): string {
    this.#made += 1;
    // The factor is odd, so that 2^24 numbers in a row are all different.
    const scattered = (this.#made * 0x9e3779) % 0x1000000;
    return `${kind}_${scattered.toString(36).padStart(5, "0")}_${this.#suffix}`;
  }

  /** Adds an event with a snapshot of an object. */
  emit(type: string, object: object, previous: object | null = null): void {
    this.events.push(eventOf(this.newId("evt"), type, this.now, object, previous));
  }

  /** Adds an order. Returns the metadata that the service sends with the order. */
  order(workspaceId: string, kind: Order["kind"], offer: Offer): Metadata {
    const orderId = this.newId("order");
    this.orders.push({ orderId, workspaceId, kind, offer });
    return { orderId, workspaceId, offerId: offer.offerId, kind };
  }

  /** The customer of a workspace. */
  customerOf(workspaceId: string): string {
    return `cus_${workspaceId}`;
  }
}
