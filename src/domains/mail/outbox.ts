import { type Refusal, refuse } from "#api/errors.ts";
import type { MailKind, MailLanguage } from "#api/mail-rules.ts";
import { type EncryptionKeys, seal, unseal } from "#platform/crypto/sealed-secret.ts";
import type { Preparer } from "#platform/db/statement.ts";
import { newId } from "#platform/ids.ts";
import { noteWritten } from "#platform/log/origin-of-work.ts";
import type { MailFacts } from "./mail-contents.ts";
import { insertMail, type insertMailWhere } from "./outbox-store.ts";

/** A mail to insert into the outbox. */
export type NewMail = {
  readonly [Kind in MailKind]: {
    /** `<kind>:<id of its cause>`, unique: a second mail with the reference is not inserted. */
    readonly reference: string;
    readonly kind: Kind;
    readonly address: string;
    readonly language: MailLanguage;
    readonly facts: MailFacts<Kind>;
    /** A link with a token, encrypted by `sealLink` under the same reference; null for other kinds. */
    readonly sealed: string | null;
    readonly nowMs: number;
    /** After this time it is not sent. */
    readonly expiresAtMs: number;
  };
}[MailKind];

/**
 * Inserts a mail, in the batch of its cause. Changes no row (`meta.changes`) when the reference exists or the address
 * is at a limit (`MAIL_WINDOWS`). After the commit, `enqueueMail` of dispatch-mail.ts sends it at once.
 */
export const mailStatement = (db: Preparer, mail: NewMail): D1PreparedStatement =>
  insertMail.bind(db, rowOf(mail));

function rowOf(mail: NewMail) {
  const messageId = newId();
  noteWritten(messageId);
  return { ...mail, messageId, address: mail.address.toLowerCase() };
}

/**
 * Like `mailStatement`, for a batch that may change nothing: inserts the mail only if `insert`, made by
 * `insertMailWhere`, finds the row that `cause` identifies.
 */
export const mailStatementWhere = (
  db: Preparer,
  insert: ReturnType<typeof insertMailWhere>,
  cause: string,
  mail: NewMail,
): D1PreparedStatement => insert.bind(db, { ...rowOf(mail), cause });

/** Retry-After of a refused mail: the length of the shortest window in which an address's mails are counted. */
const RETRY_AFTER_SECONDS = 3_600;

/** 429 MAIL_LIMIT_REACHED for an address at its limit. */
export const mailLimitReached = (address: string): Refusal & { readonly retryAfterSeconds: number } => ({
  ...refuse("MAIL_LIMIT_REACHED", `Too many such emails were sent to ${address}.`),
  retryAfterSeconds: RETRY_AFTER_SECONDS,
});

/** Encrypts a mail's link for the outbox, bound to the reference of its row. */
export const sealLink = (
  encryption: EncryptionKeys,
  messageReference: string,
  url: string,
): Promise<string> => seal(encryption, { messageReference }, url);

/**
 * Decrypts a mail's link; null when the link belongs to another mail, was altered, or was encrypted with an unknown
 * key.
 */
export const unsealLink = (
  encryption: EncryptionKeys,
  messageReference: string,
  sealed: string,
): Promise<string | null> => unseal(encryption, { messageReference }, sealed);
