import { env } from "cloudflare:workers";
import { unsealLink } from "#domains/mail/outbox.ts";
import { encryptionKeyOf } from "#platform/bindings/capabilities.ts";
import { fromOwnNetwork, ORIGIN, PASSWORD } from "./accounts.ts";
import { type Answer, call, type Settings } from "./workspace.ts";

/** An origin that sends mail, and its outbox. */

export const MAIL = {
  MAIL_FROM: "Creative Packs <mail@packs.example>",
  MAIL_API_KEY: "integration-tests-mail-0123456789",
  PUBLIC_ORIGIN: ORIGIN,
} satisfies Settings;

export interface WrittenMail {
  readonly reference: string;
  readonly kind: string;
  readonly address: string;
  readonly language: string;
  readonly facts: Readonly<Record<string, unknown>>;
  /** The decrypted link; null if the mail has none. */
  readonly link: string | null;
}

/** The mails to an address, oldest first. */
export async function mailsTo(address: string): Promise<readonly WrittenMail[]> {
  const current = encryptionKeyOf(env.DELIVERY_ENCRYPTION_KEY);
  if (current === null) throw new Error("no key encrypts links here");
  const { results } = await env.DB.prepare(
    "SELECT reference, kind, address, language, facts, sealed FROM mail_messages WHERE address = ?1 ORDER BY rowid",
  )
    .bind(address)
    .all<{
      reference: string;
      kind: string;
      address: string;
      language: string;
      facts: string;
      sealed: string;
    }>();
  return Promise.all(
    results.map(async ({ facts, sealed, ...mail }) => ({
      ...mail,
      facts: JSON.parse(facts),
      link: sealed && (await unsealLink({ current, previous: null }, mail.reference, sealed)),
    })),
  );
}

/** The kinds of the mails to an address. */
export const kindsTo = async (address: string): Promise<readonly string[]> =>
  (await mailsTo(address)).map(({ kind }) => kind);

/** The fragment of the link in the newest mail to an address. */
export async function tokenTo(address: string): Promise<string> {
  const link = (await mailsTo(address)).at(-1)?.link ?? "";
  return link.slice(link.indexOf("#") + 1);
}

/** A request to an origin that sends mail, as its pages send it. */
export const mailCall = (
  method: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
  settings: Settings = {},
): Promise<Answer> =>
  call(method, path, {
    headers: { ...fromOwnNetwork(), ...headers },
    settings: { ...MAIL, ...settings },
    body,
  });

export const signUpByMail = (email: string, body: object = {}): Promise<Answer> =>
  mailCall("POST", "/api/account/sign-up", { name: "Ada", email, password: PASSWORD, ...body });

export const confirm = (token: string): Promise<Answer> =>
  mailCall("POST", "/api/account/email/confirm", { token });

export const askForReset = (email: string): Promise<Answer> =>
  mailCall("POST", "/api/account/password/reset", { email });

export const resetTo = (token: string, newPassword: string): Promise<Answer> =>
  mailCall("POST", "/api/account/password/reset/confirm", { token, newPassword });
