import type { MailProvider } from "#platform/bindings/capabilities.ts";
import { clock } from "#platform/clock.ts";
import type { EncryptionKeys } from "#platform/crypto/sealed-secret.ts";
import type { ClaimedMail } from "./attempt-store.ts";
import { composeMail } from "./compose-mail.ts";
import { failedPacks } from "./failed-packs-store.ts";
import { unsealLink } from "./outbox.ts";
import type { OutgoingMail, SendResult } from "./provider.ts";
import { sendByBinding } from "./send-by-binding.ts";
import { sendByHttp } from "./send-by-http.ts";
import { suppression } from "./suppression-store.ts";

export interface MailServices {
  readonly db: D1Database;
  /** `DB`, which has the addresses that are sent nothing. */
  readonly directory: D1Database;
  readonly from: string;
  readonly origin: string;
  readonly provider: MailProvider;
  readonly encryption: EncryptionKeys;
}

export type AttemptResult =
  | Exclude<SendResult, { kind: "suppressed" }>
  /** `reason` is the provider's; null where the address was on our list before. */
  | { readonly kind: "suppressed"; readonly reason: "bounced" | "complained" | null }
  /** Its link cannot be decrypted, or its facts are not those of its kind. */
  | { readonly kind: "unreadable" };

/** More names than that make a mail nobody reads. */
const PACKS_NAMED_MAX = 10;

/** Attempts to send a mail once. Writes nothing. Throws when a service of ours fails; all of it may be repeated. */
export async function attemptMail(services: MailServices, claimed: ClaimedMail): Promise<AttemptResult> {
  const { db, directory, from, origin, encryption } = services;
  // The claim has looked in its own database, which is the directory where there are no shards.
  const isSuppressed =
    claimed.isSuppressed || (db !== directory && (await suppression.first(directory, claimed)) !== null);
  if (isSuppressed) return { kind: "suppressed", reason: null };
  const { messageId, reference, kind, language, facts, address, expiresAtMs } = claimed;
  const link = claimed.sealed === null ? null : await unsealLink(encryption, reference, claimed.sealed);
  const composed = await composeMail({
    ...{ kind, language, facts, link, origin, expiresAtMs },
    readFailedPacks: (span) => failedPacks.all(db, { ...span, limit: PACKS_NAMED_MAX }),
  });
  if (composed === null) return { kind: "unreadable" };
  return send(services, { messageId, from, to: address, ...composed });
}

const send = ({ provider }: MailServices, mail: OutgoingMail): Promise<SendResult> =>
  provider.kind === "binding"
    ? sendByBinding(provider.binding, mail)
    : sendByHttp(provider, mail, clock.now());
