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

/** Content of the state file. */
interface Stored {
  readonly objects: readonly StripeObject[];
  readonly events: readonly StripeEvent[];
}

/**
 * All objects of the local Stripe, newest last, and their events. Time is the machine's plus `clockOffsetMs`, like a
 * test clock (https://docs.stripe.com/billing/testing/test-clocks).
 */
export class StripeBook {
  readonly #objects = new Map<string, StripeObject>();
  readonly #events: StripeEvent[] = [];
  readonly #path: string | null;
  readonly #onEvent: (event: StripeEvent) => void;
  /** Origin of receipts, invoices and the portal. */
  readonly origin: string;
  clockOffsetMs = 0;
  /** Declines the next charge of a saved card, or the next renewal. */
  isNextDeclined = false;

  /** `path`: state file, or null. `onEvent` receives each event. */
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

  /** Whether to decline this payment. Resets the flag. */
  takeDecline(): boolean {
    const isDeclined = this.isNextDeclined;
    this.isNextDeclined = false;
    return isDeclined;
  }

  /** The members that every new object has. */
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

  /** Like `get`, but throws if the object does not exist, which would be a defect of the emulator. */
  require<Name extends ObjectName>(name: Name, id: string | null | undefined): ObjectOf<Name> {
    const found = this.get(name, id);
    if (found === null) throw new Error(`the local Stripe has no ${name} ${id}`);
    return found;
  }

  /** Records an event with the current state of the object. */
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
    // Atomic: a process killed while writing leaves the old file.
    writeFileSync(`${this.#path}.new`, JSON.stringify(stored), { mode: 0o600 });
    renameSync(`${this.#path}.new`, this.#path);
  }
}
