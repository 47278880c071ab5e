import { uint8ArrayToBase64 } from "uint8array-extras";
import { z } from "zod";
import { accept, type Outcome, refuse, refuseMember } from "#api/errors.ts";
import { LIMITS } from "#api/limits.ts";
import { mailStatementWhere } from "#domains/mail/outbox.ts";
import { sha256Hex } from "#platform/crypto/hashing.ts";
import { latest } from "#platform/db/reader.ts";
import { newId } from "#platform/ids.ts";
import { type AccountMail, linkMailStatement } from "../account-mail.ts";
import { verifyPassword } from "../password/password-hash.ts";
import type { AccountSession } from "../sign-in/session.ts";
import { hasAccount, passwordHashById, writeNothing } from "../store.ts";
import {
  changeAddress,
  deleteChange,
  deleteResetsOfOldAddress,
  deleteUsedChange,
  insertChange,
  insertChangeEvent,
  insertChangeNotice,
  waitingChange,
} from "./verification-store.ts";

/**
 * Changes an account's address: a request with the password, then a link opened from the new address's mail. The
 * sign-in library's own flow is not used, because it opens a session for anyone with the link and writes address,
 * notice and link separately.
 */

/** Distinguishes these tokens from sign-up tokens, which are JWTs and begin with `eyJ`. */
const PREFIX = "cpa_";
const TOKEN = /^cpa_([0-9a-f-]{36})_[\w-]{43}$/;
const RANDOM_BYTES = 32;
/** Lifetime of the notice to the old address, which is still useful days later. */
const NOTICE_LIFETIME_MS = 3 * 86_400_000;

const changeSchema = z.object({
  accountId: z.uuid(),
  tokenHash: z.string(),
  oldEmail: z.string(),
  newEmail: z.string(),
});

const identifierOf = (accountId: string): string => `change-address:${accountId}`;

export const isChangeToken = (token: string): boolean => token.startsWith(PREFIX);

function newToken(accountId: string): string {
  const random = crypto.getRandomValues(new Uint8Array(RANDOM_BYTES));
  return `${PREFIX}${accountId}_${uint8ArrayToBase64(random, { urlSafe: true })}`;
}

export interface AddressChange {
  /** In lower case. */
  readonly newEmail: string;
  readonly password: string;
}

/**
 * Mails a link to the new address; the old one stays until the link is opened. Ends an earlier pending change. If the
 * new address already has an account, the response and the number of reads and writes are the same, but no mail is
 * sent. CREDENTIALS_INVALID for a wrong password or an account without a password, INVALID_REQUEST for the account's
 * current address.
 */
export async function askForAddressChange(
  db: D1Database,
  mail: AccountMail,
  { accountId, email, name, language }: AccountSession,
  { newEmail, password }: AddressChange,
  nowMs: number,
): Promise<Outcome<void>> {
  const hash = (await passwordHashById.first(latest(db), { accountId }))?.hash ?? null;
  if (hash === null || !(await verifyPassword({ hash, password }))) {
    return refuse("CREDENTIALS_INVALID", "The password is wrong.");
  }
  if (newEmail === email) {
    return refuseMember("body", "newEmail", "must be another address than the account's");
  }
  const token = newToken(accountId);
  const change = { accountId, tokenHash: await sha256Hex(token), oldEmail: email, newEmail };
  const link = await linkMailStatement(
    db,
    mail,
    "confirm-address",
    { name, email: newEmail, language },
    token,
    nowMs,
  );
  const isTaken = await hasAccount(db, newEmail);
  const identifier = identifierOf(accountId);
  await db.batch([
    deleteChange.bind(db, { identifier }),
    insertChange.bind(db, {
      ...{ verificationId: newId(), identifier, value: JSON.stringify(change), nowMs },
      expiresAt: nowMs + LIMITS.confirmationLifetimeMs,
    }),
    isTaken ? writeNothing.bind(db, { accountId }) : link,
  ]);
  return accept(undefined);
}

const ended = () =>
  refuse("LINK_INVALID", "The link is altered, was used, or has expired.", {
    nextAction: "Ask for another mail.",
  });

/**
 * Applies the address change that a link confirms. One batch sets the new address, notifies the old one, and deletes
 * the link and the password resets sent to the old address. Of two concurrent calls, only one succeeds. LINK_INVALID
 * for an unknown, used or expired link, and if another account has taken the new address.
 */
export async function confirmAddressChange(
  db: D1Database,
  token: string,
  nowMs: number,
): Promise<Outcome<{ readonly email: string }>> {
  const accountId = TOKEN.exec(token)?.[1];
  if (accountId === undefined) return ended();
  const identifier = identifierOf(accountId);
  const waiting = await waitingChange.first(latest(db), { identifier, accountId, nowMs });
  if (waiting === null) return ended();
  const { tokenHash, oldEmail, newEmail } = changeSchema.parse(JSON.parse(waiting.value));
  if (tokenHash !== (await sha256Hex(token))) return ended();
  const { verificationId, name, language } = waiting;
  const change = { verificationId, accountId, oldEmail, newEmail, nowMs };
  const notice = mailStatementWhere(db, insertChangeNotice, verificationId, {
    ...{
      reference: `address-changed:${verificationId}`,
      kind: "address-changed",
      address: oldEmail,
      language,
    },
    ...{
      facts: { name, newAddress: newEmail },
      sealed: null,
      nowMs,
      expiresAtMs: nowMs + NOTICE_LIFETIME_MS,
    },
  });
  const [changed] = await db.batch([
    changeAddress.bind(db, change),
    notice,
    insertChangeEvent.bind(db, change),
    deleteResetsOfOldAddress.bind(db, change),
    deleteUsedChange.bind(db, change),
  ]);
  // D1 also counts rows that triggers write for shards, so the count may exceed 1.
  return (changed?.meta.changes ?? 0) > 0 ? accept({ email: newEmail }) : ended();
}
