import { uint8ArrayToBase64 } from "uint8array-extras";
import { LIMITS } from "#api/limits.ts";
import { mailStatement } from "#domains/mail/outbox.ts";
import { sha256Hex } from "#platform/crypto/hashing.ts";
import { latest } from "#platform/db/reader.ts";
import { accountAtDevice, deleteOldestDevices, deviceOfAddress, upsertDevice } from "./device-store.ts";
import type { AccountSession } from "./session.ts";
import { cookieNameOf, isSecureOrigin, valueOfCookie } from "./session-cookie.ts";

/**
 * The browsers an account has signed in with. A browser is identified by a random cookie, of which only the hash is
 * stored.
 */

const DEVICE_COOKIE = "cp_device";
const TOKEN_BYTES = 32;
/** `TOKEN_BYTES` in base64url. */
const TOKEN = /^[\w-]{43}$/;
/** RFC 6265bis §5.5: browsers keep cookies for at most 400 days. */
const COOKIE_SECONDS = 400 * 86_400;
/** Lifetime of the mail. A day after the sign-in, it would only alarm the user. */
const NOTICE_LIFETIME_MS = 86_400_000;

export interface Device {
  /** SHA-256 of the cookie, hex. */
  readonly deviceHash: string;
  /** Set-Cookie header that sets or renews the cookie. */
  readonly setCookie: string;
}

const tokenIn = (origin: string, cookies: string): string | null => {
  const sent = valueOfCookie(cookies, cookieNameOf(origin, DEVICE_COOKIE));
  return sent !== null && TOKEN.test(sent) ? sent : null;
};

/** Whether the account of an address has signed in with the request's browser. Reads nothing without the cookie. */
export async function isDeviceOf(
  db: D1Database,
  origin: string,
  cookies: string,
  email: string,
): Promise<boolean> {
  const token = tokenIn(origin, cookies);
  if (token === null) return false;
  const deviceHash = await sha256Hex(token);
  return (await deviceOfAddress.first(latest(db), { email, deviceHash })) !== null;
}

/** The browser that sent these cookies. A browser without our cookie gets a new cookie. */
export async function deviceOf(origin: string, cookies: string): Promise<Device> {
  const name = cookieNameOf(origin, DEVICE_COOKIE);
  const token = tokenIn(origin, cookies) ?? newToken();
  const attributes = ["Path=/", "HttpOnly", "SameSite=Lax", ...(isSecureOrigin(origin) ? ["Secure"] : [])];
  const setCookie = [`${name}=${token}`, `Max-Age=${COOKIE_SECONDS}`, ...attributes].join("; ");
  return { deviceHash: await sha256Hex(token), setCookie };
}

const newToken = (): string =>
  uint8ArrayToBase64(crypto.getRandomValues(new Uint8Array(TOKEN_BYTES)), { urlSafe: true });

/**
 * Records the browser of a new session before its cookies are sent. A new browser adds a mail in the same batch, unless
 * this request created the account, or the account's address is unconfirmed and may be a stranger's.
 */
export async function noteDevice(
  db: D1Database,
  { accountId, sessionId }: Pick<AccountSession, "accountId" | "sessionId">,
  deviceHash: string,
  nowMs: number,
): Promise<void> {
  const account = await accountAtDevice.first(latest(db), { accountId, deviceHash });
  if (account === null) return;
  const { name, email: address, language } = account;
  const shouldNotify = account.isKnown === 0 && account.isEmailVerified && account.createdAt < nowMs;
  const notice = mailStatement(db, {
    ...{ reference: `new-device:${sessionId}`, kind: "new-device", address, language },
    ...{ facts: { name, atMs: nowMs }, sealed: null, nowMs, expiresAtMs: nowMs + NOTICE_LIFETIME_MS },
  });
  await db.batch([
    ...(shouldNotify ? [notice] : []),
    upsertDevice.bind(db, { accountId, deviceHash, nowMs }),
    deleteOldestDevices.bind(db, { accountId, kept: LIMITS.devicesPerAccountMax }),
  ]);
}
