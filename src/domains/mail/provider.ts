/** What a provider is given to send. */
export interface OutgoingMail {
  /** The same in all attempts at a mail: a provider that compares them sends one. */
  readonly messageId: string;
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** What a provider made of it. */
export type SendResult =
  | { readonly kind: "sent" }
  /** The provider sends this address nothing: it bounced, or its owner complained. */
  | { readonly kind: "suppressed"; readonly reason: "bounced" | "complained" }
  /** It would refuse the mail again, now and later. */
  | { readonly kind: "refused" }
  /** Another attempt may succeed, after this time where the provider names one. */
  | { readonly kind: "unavailable"; readonly retryAfterSeconds: number | null };

export const unavailable = (retryAfterSeconds: number | null = null): SendResult => ({
  kind: "unavailable",
  retryAfterSeconds,
});
