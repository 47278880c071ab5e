import { type Refusal, refuse } from "#api/errors.ts";
import type { MailKind, MailLanguage } from "#api/mail-rules.ts";
import { type EncryptionKeys, seal, unseal } from "#platform/crypto/sealed-secret.ts";
import type { Preparer } from "#platform/db/statement.ts";
import { newId } from "#platform/ids.ts";
import { noteWritten } from "#platform/log/origin-of-work.ts";
import type { MailFacts } from "./mail-contents.ts";
import { insertMail, type insertMailWhere } from "./outbox-store.ts";

/** A mail to be written to the outbox. */
export type NewMail = {
  readonly [Kind in MailKind]: {
    /** Says what the mail is for: `<kind>:<id of its cause>`. A second one of a reference is not written. */
    readonly reference: string;
    readonly kind: Kind;
    readonly address: string;
    readonly language: MailLanguage;
    readonly facts: MailFacts<Kind>;
    /** The link of a kind that opens something, by `sealLink` under the same reference; null for the others. */
    readonly sealed: string | null;
    readonly nowMs: number;
    /** From then on it would be of no use, and is not sent. */
    readonly expiresAtMs: number;
  };
}[MailKind];

/**
 * Writes a mail, for the batch of what it tells of. Changes no row where one with the reference exists, or where the
 * address has had as many mails as it may (`MAIL_WINDOWS`): `meta.changes` of the result tells. After the commit,
 * `enqueueMail` of `domains/mail/dispatch-mail.ts` has it sent at once.
 */
export const mailStatement = (db: Preparer, mail: NewMail): D1PreparedStatement =>
  insertMail.bind(db, rowOf(mail));

function rowOf(mail: NewMail) {
  const messageId = newId();
  noteWritten(messageId);
  return { ...mail, messageId, address: mail.address.toLowerCase() };
}

/**
 * As `mailStatement`, for a batch that may do nothing: writes the mail only where `insert`, made by `insertMailWhere`, finds
 * what the mail tells of by `cause`.
 */
export const mailStatementWhere = (
  db: Preparer,
  insert: ReturnType<typeof insertMailWhere>,
  cause: string,
  mail: NewMail,
): D1PreparedStatement => insert.bind(db, { ...rowOf(mail), cause });

/** Retry-After of a mail that was not written: the shortest of the windows that count an address's mails. */
const RETRY_AFTER_SECONDS = 3_600;

/** 429 MAIL_LIMIT_REACHED for an address that `mailStatement` wrote no mail to. */
export const mailLimitReached = (address: string): Refusal & { readonly retryAfterSeconds: number } => ({
  ...refuse("MAIL_LIMIT_REACHED", `${address} was sent as many such mails as it may be.`),
  retryAfterSeconds: RETRY_AFTER_SECONDS,
});

/**
 * Encrypts the link of a mail, which opens something, for the outbox. It can be decrypted only in the row of this
 * reference.
 */
export const sealLink = (
  encryption: EncryptionKeys,
  messageReference: string,
  url: string,
): Promise<string> => seal(encryption, { messageReference }, url);

/** Decrypts the link of a mail; null when it is another mail's, altered, or encrypted with an unknown key. */
export const unsealLink = (
  encryption: EncryptionKeys,
  messageReference: string,
  sealed: string,
): Promise<string | null> => unseal(encryption, { messageReference }, sealed);
