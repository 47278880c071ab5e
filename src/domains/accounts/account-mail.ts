import { LIMITS } from "#api/limits.ts";
import { MAIL_LANGUAGES, type MailLanguage } from "#api/mail-rules.ts";
import type { MailService } from "#platform/bindings/capabilities.ts";
import { newId } from "#platform/ids.ts";
import { mailStatement, sealLink } from "../mail/outbox.ts";

export interface AccountMail {
  readonly encryption: MailService["encryption"];
  /** Origin of the Studio, for links in mails. */
  readonly origin: string;
}

export interface Recipient {
  readonly name: string;
  readonly email: string;
  readonly language: MailLanguage;
}

/** Page and lifetime of each kind of link that contains a token. */
const PAGES = {
  "confirm-address": { path: "/confirm-email", lifetimeMs: LIMITS.confirmationLifetimeMs },
  "reset-password": { path: "/reset-password", lifetimeMs: LIMITS.passwordResetLifetimeMs },
} as const;

/**
 * A statement that inserts a mail with a link. The token is in the fragment, which browsers do not send, so it appears
 * in no log.
 */
export async function linkMailStatement(
  db: D1Database,
  { encryption, origin }: AccountMail,
  kind: keyof typeof PAGES,
  { name, email: address, language }: Recipient,
  token: string,
  nowMs: number,
): Promise<D1PreparedStatement> {
  const { path, lifetimeMs } = PAGES[kind];
  const reference = `${kind}:${newId()}`;
  const sealed = await sealLink(encryption, reference, `${origin}${path}#${token}`);
  const expiresAtMs = nowMs + lifetimeMs;
  return mailStatement(db, {
    reference,
    kind,
    address,
    language,
    facts: { name },
    sealed,
    nowMs,
    expiresAtMs,
  });
}

/** The language of an account record from the library. */
export const languageOf = (account: object): MailLanguage => {
  const language: unknown = Reflect.get(account, "language");
  return MAIL_LANGUAGES.find((known) => known === language) ?? "en";
};
