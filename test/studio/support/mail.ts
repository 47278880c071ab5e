import { expect } from "vitest";
import { unsealLink } from "#domains/mail/outbox.ts";
import { encryptionKeyOf } from "#platform/bindings/capabilities.ts";
import { SECRETS, type ServiceOptions } from "../../conformance/support/service.ts";
import type { Studio } from "./studio.ts";

/** A service that sends mail to a provider that does not exist: tests read its outbox. */
export const WITH_MAIL: ServiceOptions = {
  vars: {
    MAIL_FROM: "Creative Packs <mail@packs.example>",
    MAIL_API_KEY: "studio-tests-mail-0123456789",
    MAIL_API_URL: "http://127.0.0.1:9",
  },
  varsAt: (origin) => ({ PUBLIC_ORIGIN: origin }),
};

/** Path of the link in the newest email of a kind to an address, once it is written. */
export async function mailedLink({ service }: Studio, address: string, kind: string): Promise<string> {
  const current = encryptionKeyOf(SECRETS.DELIVERY_ENCRYPTION_KEY);
  if (current === null) throw new Error("no key encrypts links here");
  // A reset email is written after the response, whose timing must reveal nothing.
  const mail = await expect
    .poll(() => newestMail(service.db, address, kind))
    .not.toBeNull()
    .then(() => newestMail(service.db, address, kind));
  if (mail === null) throw new Error("a mail that was there is gone");
  const link = await unsealLink({ current, previous: null }, mail.reference, mail.sealed);
  if (link === null) throw new Error("the mail's link is of another key");
  const { pathname, hash } = new URL(link);
  return `${pathname}${hash}`;
}

const newestMail = (db: D1Database, address: string, kind: string) =>
  db
    .prepare(
      "SELECT reference, sealed FROM mail_messages WHERE address = ?1 AND kind = ?2 ORDER BY rowid DESC LIMIT 1",
    )
    .bind(address, kind)
    .first<{ reference: string; sealed: string }>();
