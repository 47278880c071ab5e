import { setTimeout as delay } from "node:timers/promises";
import { Failure } from "../local/failure.ts";
import { type SentMail, startMail } from "./mail/server.ts";
import { LOCAL_OFFERS } from "./price-list.ts";
import type { StripeBook } from "./stripe/book.ts";
import { closeDispute, type Decline, failRefund, openDispute, refundPayment } from "./stripe/payments.ts";
import { endPlan, itemOf, renewPlan, retryInvoice, setCancelAtPeriodEnd } from "./stripe/plans.ts";
import type { StripeEvent } from "./stripe/schemas.ts";
import { startStripe } from "./stripe/server.ts";
import { signBody, WebhookSender } from "./stripe/webhook-sender.ts";

export interface EmulatorOptions {
  /** Where Stripe's events go; null sends none. */
  readonly webhookUrl: string | null;
  readonly webhookSecret: string;
  /** Where the mail provider's reports go; null sends none. */
  readonly mailWebhookUrl: string | null;
  /** As `whsec_` and base64. */
  readonly mailWebhookSecret: string;
  /** Keeps customers, payments and plans between runs, as the service's database keeps their ids. */
  readonly statePath?: string;
}

export interface Emulators {
  readonly stripeOrigin: string;
  /** Also the page of sent mail. */
  readonly mailOrigin: string;
  /** As BILLING_OFFERS takes it. */
  readonly offers: string;
  readonly stop: () => Promise<void>;

  /** Everything that the local Stripe holds. */
  readonly book: StripeBook;
  /** All events so far, oldest first, whether they were sent or not. */
  readonly events: () => readonly StripeEvent[];
  /** Sends an event once more. */
  readonly sendAgain: (event: StripeEvent) => void;
  /** The header of a body as Stripe signs it now. */
  readonly sign: (body: string, atSeconds?: number) => string;
  /** Settles when every event was taken with a 2xx. */
  readonly delivered: () => Promise<void>;
  /** Turns webhooks to another address; null lets them rest. */
  readonly pointWebhooksAt: (url: string | null) => void;
  /** Moves the local Stripe's clock, in milliseconds from this machine's. */
  readonly moveClock: (offsetMs: number) => void;

  /** Presses the button of a checkout page. */
  readonly pay: (checkoutUrl: string) => Promise<void>;
  readonly failNextPayment: (decline?: Decline) => void;
  /** Rolls a plan's period over, moving the clock there when it is not over yet. */
  readonly renewPlan: (subscriptionId: string) => void;
  readonly retryInvoice: (invoiceId: string) => void;
  /** With the period's end, or `now`. */
  readonly cancelPlan: (subscriptionId: string, when?: "period-end" | "now") => void;
  /** Of a payment; all that is left unless a sum is given. */
  readonly refund: (paymentIntentId: string, amount?: number) => string;
  readonly failRefund: (refundId: string) => void;
  readonly dispute: (paymentIntentId: string, amount?: number) => string;
  readonly closeDispute: (disputeId: string, status: "won" | "lost") => void;

  readonly sentMail: () => Promise<readonly SentMail[]>;
  /** Waits for a mail to an address, newest first. `isWanted` sees each. */
  readonly waitForMail: (address: string, isWanted?: (mail: SentMail) => boolean) => Promise<SentMail>;
  readonly reportBounce: (mail: SentMail) => Promise<boolean>;
  /** Turns reports to another address; null sends none. */
  readonly pointReportsAt: (url: string | null) => void;
}

const MAIL_POLL_MS = 100;
const MAIL_MS_MAX = 60_000;

async function pressPay(checkoutUrl: string): Promise<void> {
  const response = await fetch(`${checkoutUrl}/complete`, {
    method: "POST",
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
    body: "email=",
    redirect: "manual",
  });
  await response.body?.cancel();
  if (response.status >= 400) throw new Error(`the checkout page answered ${response.status}`);
}

/** Starts Stripe and the mail provider on loopback ports. */
export async function startEmulators(options: EmulatorOptions): Promise<Emulators> {
  const { webhookUrl, webhookSecret } = options;
  const mail = await startMail(options.mailWebhookSecret);
  mail.pointReportsAt(options.mailWebhookUrl);
  const stripe = await startStripe(options.statePath ?? null);
  const { book, origin } = stripe;
  const sender = new WebhookSender(webhookUrl, webhookSecret);
  book.onEvent((event) => sender.send(event));

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
    stripeOrigin: origin,
    mailOrigin: mail.origin,
    offers: LOCAL_OFFERS,
    stop: async () => {
      await sender.stop();
      await stripe.stop();
      await mail.stop();
    },
    book,
    events: () => book.events(),
    sendAgain: (event) => sender.send(event),
    sign: (body, atSeconds) => signBody(body, webhookSecret, atSeconds),
    delivered: () => sender.settled(),
    pointWebhooksAt: (to) => sender.pointAt(to),
    moveClock: (offsetMs) => {
      book.clockOffsetMs = offsetMs;
    },
    pay: pressPay,
    failNextPayment: (decline = "card_declined") => stripe.failNextPayment(decline),
    renewPlan: (id) => {
      const dueMs = itemOf(book.require("subscription", id)).current_period_end * 1000;
      book.clockOffsetMs = Math.max(book.clockOffsetMs, dueMs - Date.now());
      renewPlan(book, id, stripe.takeDecline(), origin);
    },
    retryInvoice: (id) => {
      retryInvoice(book, id, stripe.takeDecline(), origin);
    },
    cancelPlan: (id, when = "period-end") => {
      if (when === "now") endPlan(book, id);
      else setCancelAtPeriodEnd(book, id, true);
    },
    refund: (id, amount) => {
      const refund = refundPayment(book, id, amount ?? null);
      if (refund === null) throw new Error("the payment has less left than that");
      return refund.id;
    },
    failRefund: (id) => failRefund(book, id),
    dispute: (id, amount) => openDispute(book, id, amount ?? null).id,
    closeDispute: (id, status) => closeDispute(book, id, status),
    sentMail: mail.sent,
    waitForMail,
    reportBounce: mail.reportBounce,
    pointReportsAt: mail.pointReportsAt,
  };
}
