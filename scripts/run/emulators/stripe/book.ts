import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import {
  API_VERSION,
  type ObjectName,
  type ObjectOf,
  type StripeEvent,
  type StripeObject,
} from "./objects.ts";

const PREFIXES: Readonly<Record<ObjectName | "event", string>> = {
  customer: "cus",
  payment_method: "pm",
  payment_intent: "pi",
  charge: "ch",
  "checkout.session": "cs_test",
  subscription: "sub",
  invoice: "in",
  invoice_payment: "inpay",
  "billing_portal.session": "bps",
  event: "evt",
};

/** What the file between runs has. */
interface Stored {
  readonly objects: readonly StripeObject[];
  readonly events: readonly StripeEvent[];
}

/**
 * Everything that the local Stripe has, newest last, and the events about it. Time is the machine's, moved by
 * `clockOffsetMs` as a test clock moves it (https://docs.stripe.com/billing/testing/test-clocks).
 */
export class StripeBook {
  readonly #objects = new Map<string, StripeObject>();
  readonly #events: StripeEvent[] = [];
  readonly #path: string | null;
  readonly #onEvent: (event: StripeEvent) => void;
  /** Where receipts, invoices and the portal are shown. */
  readonly origin: string;
  clockOffsetMs = 0;
  /** Declines the next payment without a page, or the next renewal. */
  isNextDeclined = false;

  /** `path`: where it is kept between runs, or null. `onEvent` gets each event when it happens. */
  constructor(origin: string, path: string | null, onEvent: (event: StripeEvent) => void) {
    this.origin = origin;
    this.#path = path;
    this.#onEvent = onEvent;
    if (path === null || !existsSync(path)) return;
    const { objects, events }: Stored = JSON.parse(readFileSync(path, "utf8"));
    for (const object of objects) this.#objects.set(object.id, object);
    this.#events.push(...events);
  }

  /** Unix time in seconds. */
  now(): number {
    return Math.floor((Date.now() + this.clockOffsetMs) / 1000);
  }

  /** Whether the next payment is declined, once. */
  takeDecline(): boolean {
    const isDeclined = this.isNextDeclined;
    this.isNextDeclined = false;
    return isDeclined;
  }

  /** The fields that every new object has. */
  base<Name extends keyof typeof PREFIXES>(object: Name) {
    const id = `${PREFIXES[object]}_${randomBytes(12).toString("hex")}`;
    return { id, object, created: this.now(), livemode: false as const };
  }

  put<Kept extends StripeObject>(object: Kept): Kept {
    this.#objects.set(object.id, object);
    this.#save();
    return object;
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

  /** Records that something happened, with the object as it is now. */
  emit(type: string, object: StripeObject): void {
    const data = { object: structuredClone(object) };
    const event: StripeEvent = { ...this.base("event"), api_version: API_VERSION, data, type };
    this.#events.push(event);
    this.#save();
    this.#onEvent(event);
  }

  events(): readonly StripeEvent[] {
    return this.#events;
  }

  #save(): void {
    if (this.#path === null) return;
    const stored: Stored = { objects: [...this.#objects.values()], events: this.#events };
    // In two steps: a process that is killed while it writes leaves the file as it was.
    writeFileSync(`${this.#path}.new`, JSON.stringify(stored), { mode: 0o600 });
    renameSync(`${this.#path}.new`, this.#path);
  }
}
