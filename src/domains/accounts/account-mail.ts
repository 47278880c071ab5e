import { LIMITS } from "#api/limits.ts";
import { MAIL_LANGUAGES, type MailLanguage } from "#api/mail-rules.ts";
import type { MailService } from "#platform/bindings/capabilities.ts";
import { newId } from "#platform/ids.ts";
import { mailStatement, sealLink } from "../mail/outbox.ts";

/** What mail to people is made with. */
export interface AccountMail {
  readonly encryption: MailService["encryption"];
  /** Of the Studio's pages that its links open. */
  readonly origin: string;
}

/** Whom a mail is for. */
export interface Recipient {
  readonly name: string;
  readonly email: string;
  readonly language: MailLanguage;
}

/** The kinds of mail whose link has a token, the page of each, and how long it is good. */
const PAGES = {
  "confirm-address": { path: "/confirm-email", lifetimeMs: LIMITS.confirmationLifetimeMs },
  "reset-password": { path: "/reset-password", lifetimeMs: LIMITS.passwordResetLifetimeMs },
} as const;

/** Writes a mail with a link. The token is in its fragment, which no server is sent and no log has. */
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

/** The language of an account as the library has it. */
export const languageOf = (account: object): MailLanguage => {
  const language: unknown = Reflect.get(account, "language");
  return MAIL_LANGUAGES.find((known) => known === language) ?? "en";
};
