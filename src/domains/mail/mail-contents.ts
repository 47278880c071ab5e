import { z } from "zod";
import type { MailKind } from "#api/mail-rules.ts";

/** The values of each kind's template. Validated when read, because triggers write to the outbox too. */

const NAME_CHARACTERS_MAX = 100;
const MESSAGE_CHARACTERS_MAX = 1_000;

/** Truncates to whole characters, the last of which is an ellipsis. */
function cut(text: string, charactersMax: number): string {
  // Each character has at most two code units; slice first, so that a long text is not split as a whole.
  const characters = [...text.slice(0, 2 * charactersMax + 2)];
  return characters.length <= charactersMax
    ? characters.join("")
    : `${characters.slice(0, charactersMax - 1).join("")}…`;
}

/** Control characters, and those that change text direction. */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Characters after which a word joiner is inserted, so that mail programs do not turn a URL in a name into a link. */
const LINK_LIKE = /:(?=\/\/)|\.(?=\p{L}{2})/gu;
/** An invisible character that stops link detection. */
const WORD_JOINER = "\u2060";

/** A user-provided name as one line, truncated; it may be in a subject. */
export const asName = (text: string): string =>
  cut(text.replace(UNSEEN, " ").trim(), NAME_CHARACTERS_MAX).replace(LINK_LIKE, `$&${WORD_JOINER}`);

const line = z.string().transform(asName);

/** A text of several lines. */
const paragraph = z
  .string()
  .transform((text) =>
    cut(text.replace(UNSEEN, (found) => (found === "\n" ? found : " ")).trim(), MESSAGE_CHARACTERS_MAX),
  );

const workspaceId = z.uuid();
const moment = z.int().nonnegative();
const credits = z.int().nonnegative();
const address = z.string().max(320);

/** The facts of each kind. A mail with other facts is a bug, and is never sent. */
export const MAIL_FACTS = {
  "confirm-address": z.object({ name: line }),
  "new-device": z.object({ name: line, atMs: moment }),
  "reset-password": z.object({ name: line }),
  "address-changed": z.object({ name: line, newAddress: address }),
  invitation: z.object({ workspaceName: line, inviterName: line }),
  "balance-low": z.object({ workspaceId, available: z.int(), lowBalanceBelow: credits }),
  /** `reason` is the payment provider's code, such as `card_declined`. */
  "top-up-failed": z.object({ workspaceId, offerId: line, credits, reason: line }),
  /** The packs are read when the mail is sent. */
  "packs-failed": z.object({ workspaceId, fromMs: moment, toMs: moment }),
  receipt: z.object({
    workspaceId,
    paymentId: line,
    kind: z.enum(["credits", "top-up", "plan"]),
    /** In the currency's smallest unit. */
    amount: z.int().nonnegative(),
    /** ISO 4217, in lower case as Stripe has it. */
    currency: z.string().regex(/^[A-Za-z]{3}$/),
    credits,
    paidAtMs: moment,
    receiptUrl: z
      .url({ protocol: /^https?$/ })
      .max(2_000)
      .nullable(),
  }),
  "approval-asked": z.object({ packName: line, senderName: line, message: paragraph.nullable() }),
  "approval-given": z.object({
    workspaceId,
    artifactId: z.uuid(),
    shareName: line,
    visitorName: line,
    verdict: z.enum(["approved", "changes-requested"]),
    /** Names of the sizes with requested changes; absent from older mails. */
    sizes: z.array(line).max(100).default([]),
  }),
} as const satisfies Readonly<Record<MailKind, z.ZodType>>;

/** The facts as written, before truncation. */
export type MailFacts<Kind extends MailKind> = z.input<(typeof MAIL_FACTS)[Kind]>;
