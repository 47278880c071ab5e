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
 * An account's address becomes another when somebody who has the password asked for it and somebody who reads the new
 * address opens the link. It is not the sign-in library's flow, which opens a session for whoever has the link, and
 * writes the address, the notice to the old one and the end of the link one after the other.
 */

/** Told apart by it from a token that confirms the address of a sign-up, which begins as JSON in base64 does. */
const PREFIX = "cpa_";
const TOKEN = /^cpa_([0-9a-f-]{36})_[\w-]{43}$/;
const RANDOM_BYTES = 32;
/** A notice of a change that another person made is useful for days. */
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
  /** Lower case. */
  readonly newEmail: string;
  readonly password: string;
}

/**
 * Sends a link to the new address; until it is opened the old one stays. Another change that waits ends. An address that
 * has an account is answered alike, after as many reads and writes, and is sent nothing. CREDENTIALS_INVALID for a wrong
 * password and for an account without one, INVALID_REQUEST for the address that it has.
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
 * Changes the address that a link is of, tells the old one, and ends the link and those that the old address was sent to
 * reset the password by: all in one batch. Of two that bring the link one changes it. LINK_INVALID, also where somebody
 * else has signed up with the new address meanwhile.
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
  // More than one, where triggers count the change for workspaces on shards.
  return (changed?.meta.changes ?? 0) > 0 ? accept({ email: newEmail }) : ended();
}
