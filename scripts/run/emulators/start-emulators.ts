import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { Failure } from "../../local/failure.ts";
import { type SentMail, startMail } from "./mail.ts";
import { LOCAL_OFFERS } from "./price-list.ts";
import type { StripeBook } from "./stripe/book.ts";
import { refundPayment } from "./stripe/payments.ts";
import { renewPlan } from "./stripe/plans.ts";
import { startStripe } from "./stripe/server.ts";
import { signBody, WebhookSender } from "./stripe/webhook-sender.ts";

/** Variables with which a worker uses the emulators. */
export interface EmulatorVars {
  readonly mail: Readonly<Record<string, string>>;
  readonly stripe: Readonly<Record<string, string>>;
}

export interface Emulators {
  readonly stripeOrigin: string;
  /** Origin of the mail provider's API, and URL of the page with sent emails. */
  readonly mailOrigin: string;
  /** Sends Stripe's events to the worker at `origin` from now on. Returns the variables that the worker needs. */
  readonly join: (origin: string) => EmulatorVars;
  readonly stop: () => Promise<void>;

  /** State of the local Stripe: its objects and events. */
  readonly book: StripeBook;
  /** The Stripe-Signature header of a body, signed now. */
  readonly sign: (body: string, atSeconds?: number) => string;
  /** Resolves when every event was accepted with 2xx. */
  readonly delivered: () => Promise<void>;
  /** Sets the offset of the local Stripe's clock, in milliseconds. */
  readonly moveClock: (offsetMs: number) => void;

  /** Submits a checkout page. */
  readonly pay: (checkoutUrl: string) => Promise<void>;
  readonly failNextPayment: () => void;
  /** Renews a plan, moving the clock forward if necessary. */
  readonly renewPlan: (subscriptionId: string) => void;
  /** Refunds the given amount of a payment; by default, all that is not refunded yet. */
  readonly refund: (paymentIntentId: string, amount?: number) => void;

  /** Waits for an email to an address and returns the newest. `isWanted` filters the emails. */
  readonly waitForMail: (address: string, isWanted?: (mail: SentMail) => boolean) => Promise<SentMail>;
}

const MAIL_POLL_MS = 100;
const MAIL_MS_MAX = 60_000;

async function pressPay(checkoutUrl: string): Promise<void> {
  const response = await fetch(`${checkoutUrl}/complete`, { method: "POST", redirect: "manual" });
  await response.body?.cancel();
  if (response.status >= 400) throw new Error(`the checkout page answered ${response.status}`);
}

const newSecret = (): string => `whsec_${randomBytes(24).toString("base64")}`;

/**
 * Starts Stripe and the mail provider on loopback ports. `statePath` is the file that stores customers, payments and
 * plans between runs.
 */
export async function startEmulators(statePath: string | null = null): Promise<Emulators> {
  const webhookSecret = newSecret();
  const sender = new WebhookSender(webhookSecret);
  const mail = await startMail();
  const stripe = await startStripe(statePath, (event) => sender.send(event));
  const { book } = stripe;

  async function waitForMail(address: string, isWanted: (mail: SentMail) => boolean = () => true) {
    const endMs = performance.now() + MAIL_MS_MAX;
    while (performance.now() < endMs) {
      const mails = [...(await mail.sent())].reverse();
      const found = mails.find((each) => each.to.includes(address) && isWanted(each));
      if (found !== undefined) return found;
      await delay(MAIL_POLL_MS);
    }
    throw new Failure(`No such mail came to ${address}.`);
  }

  return {
    stripeOrigin: book.origin,
    mailOrigin: mail.origin,
    join: (worker) => {
      sender.pointAt(`${worker}/api/billing/events`);
      return {
        mail: {
          PUBLIC_ORIGIN: worker,
          MAIL_FROM: "Creative Packs <mail@packs.example>",
          MAIL_API_KEY: "re_local",
          MAIL_API_URL: mail.origin,
          MAIL_WEBHOOK_SECRET: newSecret(),
        },
        stripe: {
          STRIPE_SECRET_KEY: "sk_test_local",
          STRIPE_WEBHOOK_SECRET: webhookSecret,
          STRIPE_API_URL: book.origin,
          BILLING_OFFERS: LOCAL_OFFERS,
        },
      };
    },
    stop: async () => {
      await sender.stop();
      await stripe.stop();
      await mail.stop();
    },
    book,
    sign: (body, atSeconds) => signBody(body, webhookSecret, atSeconds),
    delivered: () => sender.settled(),
    moveClock: (offsetMs) => {
      book.clockOffsetMs = offsetMs;
    },
    pay: pressPay,
    failNextPayment: () => {
      book.isNextDeclined = true;
    },
    renewPlan: (id) => renewPlan(book, id),
    refund: (id, amount) => refundPayment(book, id, amount ?? null),
    waitForMail,
  };
}
