export interface OutgoingMail {
  /** The same in all attempts, so that a provider can recognize a repeated mail. */
  readonly messageId: string;
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export type SendResult =
  | { readonly kind: "sent" }
  /** The provider does not mail this address: it bounced, or its owner complained. */
  | { readonly kind: "suppressed"; readonly reason: "bounced" | "complained" }
  /** A retry would be refused too. */
  | { readonly kind: "refused" }
  /** A retry may succeed, after this time if the provider names one. */
  | { readonly kind: "unavailable"; readonly retryAfterSeconds: number | null };

export const unavailable = (retryAfterSeconds: number | null = null): SendResult => ({
  kind: "unavailable",
  retryAfterSeconds,
});
