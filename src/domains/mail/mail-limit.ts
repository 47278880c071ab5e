import { type Refusal, refuse } from "#api/errors.ts";

/** Retry-After of a mail that was not written: the shortest of the windows that count an address's mails. */
const RETRY_AFTER_SECONDS = 3_600;

/** 429 MAIL_LIMIT_REACHED for an address that `mailStatement` wrote no mail to. */
export const mailLimitReached = (address: string): Refusal & { readonly retryAfterSeconds: number } => ({
  ...refuse("MAIL_LIMIT_REACHED", `${address} was sent as many such mails as it may be.`),
  retryAfterSeconds: RETRY_AFTER_SECONDS,
});
