/**
 * Stripe's objects as documented for version 2026-10-28.endive, not recorded from an account, with the fields that the
 * service or these pages read. https://docs.stripe.com/api
 */
export const API_VERSION = "2026-10-28.endive";

interface Base<Name extends string> {
  readonly id: string;
  readonly object: Name;
  /** Unix time in seconds, like all times in this file. */
  readonly created: number;
  readonly livemode: false;
}

export type Metadata = Readonly<Record<string, string>>;

/** An amount in the currency's minor unit. */
interface Sum {
  readonly amount: number;
  readonly currency: string;
}

/** https://docs.stripe.com/api/customers/object */
export interface Customer extends Base<"customer"> {
  readonly email: string | null;
  readonly name: string | null;
  readonly metadata: Metadata;
}

/** https://docs.stripe.com/api/payment_methods/object */
export interface PaymentMethod extends Base<"payment_method"> {
  readonly type: "card";
  readonly customer: string;
}

/** https://docs.stripe.com/api/payment_intents/object */
export interface PaymentIntent extends Base<"payment_intent">, Sum {
  readonly amount_received: number;
  readonly status: "requires_payment_method" | "succeeded";
  readonly customer: string | null;
  readonly payment_method: string | null;
  readonly latest_charge: string;
  readonly last_payment_error: CardError | null;
  readonly metadata: Metadata;
}

/** https://docs.stripe.com/api/errors */
interface CardError {
  readonly type: "card_error";
  readonly code: string;
  readonly decline_code: string;
  readonly message: string;
}

/** https://docs.stripe.com/api/charges/object */
export interface Charge extends Base<"charge">, Sum {
  readonly amount_refunded: number;
  readonly customer: string | null;
  readonly paid: boolean;
  readonly payment_intent: string;
  readonly receipt_email: string | null;
  readonly receipt_url: string | null;
  readonly refunded: boolean;
  readonly metadata: Metadata;
}

/** https://docs.stripe.com/api/checkout/sessions/object */
export interface CheckoutSession extends Base<"checkout.session"> {
  readonly amount_total: number;
  readonly currency: string;
  readonly customer: string;
  readonly metadata: Metadata;
  readonly mode: "payment" | "subscription";
  readonly payment_intent: string | null;
  readonly payment_status: "paid" | "unpaid";
  readonly status: "open" | "complete" | "expired";
  readonly url: string | null;
}

/** https://docs.stripe.com/api/subscriptions/object, including the period of its single item. */
export interface Subscription extends Base<"subscription"> {
  readonly cancel_at: number | null;
  readonly cancel_at_period_end: boolean;
  readonly customer: string;
  readonly ended_at: number | null;
  readonly metadata: Metadata;
  readonly status: "active" | "past_due" | "canceled";
  readonly period: Period;
  readonly price: Sum & { readonly id: string };
}

export interface Period {
  readonly start: number;
  readonly end: number;
}

/** https://docs.stripe.com/api/invoices/object */
export interface Invoice extends Base<"invoice"> {
  readonly amount_paid: number;
  readonly currency: string;
  readonly customer: string;
  readonly hosted_invoice_url: string;
  readonly lines: { readonly object: "list"; readonly data: readonly InvoiceLine[] };
  readonly parent: {
    readonly type: "subscription_details";
    readonly subscription_details: { readonly metadata: Metadata; readonly subscription: string };
  };
  readonly status: "open" | "paid";
  readonly total: number;
}

/** https://docs.stripe.com/api/invoice-line-item/object */
interface InvoiceLine extends Sum {
  readonly period: Period;
  readonly pricing: { readonly type: "price_details"; readonly price_details: { readonly price: string } };
}

/** https://docs.stripe.com/api/invoice-payment/object: links an invoice and its payment. */
export interface InvoicePayment extends Base<"invoice_payment"> {
  readonly invoice: string;
  readonly payment: { readonly type: "payment_intent"; readonly payment_intent: string };
}

/** https://docs.stripe.com/api/customer_portal/sessions/object */
export interface PortalSession extends Base<"billing_portal.session"> {
  readonly customer: string;
  readonly return_url: string;
  readonly url: string;
}

export type StripeObject =
  | Customer
  | PaymentMethod
  | PaymentIntent
  | Charge
  | CheckoutSession
  | Subscription
  | Invoice
  | InvoicePayment
  | PortalSession;
export type ObjectName = StripeObject["object"];
/** The object with a name, such as `ObjectOf<"charge">`. */
export type ObjectOf<Name extends ObjectName> = Extract<StripeObject, { object: Name }>;

/** https://docs.stripe.com/api/events/object */
export interface StripeEvent extends Base<"event"> {
  readonly api_version: string;
  readonly data: { readonly object: StripeObject };
  readonly type: string;
}
