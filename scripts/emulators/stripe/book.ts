import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { z } from "zod";
import {
  API_VERSION,
  eventSchema,
  type ObjectName,
  type ObjectOf,
  type StripeEvent,
  type StripeObject,
  stripeObjectSchema,
} from "./schemas.ts";

const storedSchema = z.object({ objects: z.array(stripeObjectSchema), events: z.array(eventSchema) });

const PREFIXES: Readonly<Record<ObjectName | "event" | "line" | "item", string>> = {
  customer: "cus",
  payment_method: "pm",
  payment_intent: "pi",
  charge: "ch",
  refund: "re",
  dispute: "dp",
  price: "price",
  product: "prod",
  "checkout.session": "cs_test",
  subscription: "sub",
  invoice: "in",
  invoice_payment: "inpay",
  "billing_portal.session": "bps",
  event: "evt",
  line: "il",
  item: "si",
};

/**
 * Everything that the local Stripe holds, newest last, and the events about it. Time is the machine's, moved by
 * `clockOffsetMs` as a test clock moves it (https://docs.stripe.com/billing/testing/test-clocks).
 */
export class StripeBook {
  readonly #objects = new Map<string, StripeObject>();
  readonly #events: StripeEvent[] = [];
  readonly #listeners: ((event: StripeEvent) => void)[] = [];
  readonly #path: string | null;
  clockOffsetMs = 0;

  /** `path`: where it is kept between runs; null forgets it. */
  constructor(path: string | null) {
    this.#path = path;
    if (path === null || !existsSync(path)) return;
    const stored = storedSchema.safeParse(JSON.parse(readFileSync(path, "utf8")));
    if (!stored.success) return;
    for (const object of stored.data.objects) this.#objects.set(object.id, object);
    this.#events.push(...stored.data.events);
  }

  /** Unix time in seconds. */
  now(): number {
    return Math.floor((Date.now() + this.clockOffsetMs) / 1000);
  }

  newId(kind: keyof typeof PREFIXES): string {
    return `${PREFIXES[kind]}_${randomBytes(12).toString("hex")}`;
  }

  /** The fields that every new object has. */
  base<Name extends ObjectName>(object: Name) {
    return { id: this.newId(object), object, created: this.now(), livemode: false as const };
  }

  put<Kept extends StripeObject>(object: Kept): Kept {
    this.#objects.set(object.id, object);
    this.#save();
    return object;
  }

  find(id: string | null | undefined): StripeObject | null {
    return this.#objects.get(id ?? "") ?? null;
  }

  all<Name extends ObjectName>(name: Name): ObjectOf<Name>[] {
    const isNamed = (object: StripeObject): object is ObjectOf<Name> => object.object === name;
    return [...this.#objects.values()].filter(isNamed);
  }

  get<Name extends ObjectName>(name: Name, id: string | null | undefined): ObjectOf<Name> | null {
    return this.all(name).find((object) => object.id === id) ?? null;
  }

  /** As `get`; an id that must be here and is not is a defect of the emulator. */
  require<Name extends ObjectName>(name: Name, id: string | null | undefined): ObjectOf<Name> {
    const found = this.get(name, id);
    if (found === null) throw new Error(`the local Stripe has no ${name} ${id}`);
    return found;
  }

  /** Records that something happened, with the object as it is now, and lets the listeners have it. */
  emit(type: string, object: StripeObject): StripeEvent {
    const event: StripeEvent = {
      id: this.newId("event"),
      object: "event",
      api_version: API_VERSION,
      created: this.now(),
      data: { object: structuredClone(object) },
      livemode: false,
      pending_webhooks: 1,
      request: { id: null, idempotency_key: null },
      type,
    };
    this.#events.push(event);
    this.#save();
    for (const listener of this.#listeners) listener(event);
    return event;
  }

  onEvent(listener: (event: StripeEvent) => void): void {
    this.#listeners.push(listener);
  }

  events(): readonly StripeEvent[] {
    return this.#events;
  }

  #save(): void {
    if (this.#path === null) return;
    const text = JSON.stringify({ objects: [...this.#objects.values()], events: this.#events });
    // In two steps: a process that is killed while it writes leaves the file as it was.
    writeFileSync(`${this.#path}.new`, text, { mode: 0o600 });
    renameSync(`${this.#path}.new`, this.#path);
  }
}
