import { accept, type Outcome, refuse } from "#api/errors.ts";
import type { MailLanguage } from "#api/mail-rules.ts";
import type { SessionView } from "#api/schemas/account.ts";
import { toTimestamp } from "#platform/clock.ts";
import { latest } from "#platform/db/reader.ts";
import { pick } from "#platform/pick-members.ts";
import { languageOf } from "../account-mail.ts";
import { deleteSession, passwordHashByEmail, passwordHashById } from "../store.ts";
import { type Auth, libraryCodeOf } from "./auth.ts";
import { asCookieHeader } from "./session-cookie.ts";

/** A signed-in user's session. Times are Unix milliseconds. */
export interface AccountSession {
  readonly sessionId: string;
  readonly accountId: string;
  readonly name: string;
  readonly email: string;
  readonly isEmailConfirmed: boolean;
  readonly language: MailLanguage;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
}

/** A session and the cookies to send with the response. */
export interface OpenedSession {
  readonly session: AccountSession;
  readonly setCookies: readonly string[];
}

/** Passes only cookies to the library, which would store a network address and user agent. */
export const cookiesOnly = (cookies: string): Headers => new Headers({ cookie: cookies });

/**
 * The session of a Cookie header, extended when it is a day old; null for an altered or expired cookie or an ended
 * session.
 */
export async function readSession(auth: Auth, cookies: string): Promise<OpenedSession | null> {
  const { headers, response } = await auth.api.getSession({
    headers: cookiesOnly(cookies),
    returnHeaders: true,
  });
  if (response === null) return null;
  const { session, user } = response;
  return {
    session: {
      sessionId: session.id,
      accountId: user.id,
      name: user.name,
      email: user.email,
      isEmailConfirmed: user.emailVerified,
      language: languageOf(user),
      createdAtMs: session.createdAt.getTime(),
      expiresAtMs: session.expiresAt.getTime(),
    },
    setCookies: headers.getSetCookie(),
  };
}

/** The session that a response's cookies open; throws if it is missing, because it was just created. */
export async function openSession(auth: Auth, setCookies: readonly string[]): Promise<OpenedSession> {
  const opened = await readSession(auth, asCookieHeader(setCookies));
  if (opened === null) throw new Error("a new session cannot be read");
  return { session: opened.session, setCookies };
}

/**
 * Signs a user in with a new session. CREDENTIALS_INVALID for an unknown address or a wrong password; the library
 * hashes once for either. Also refused if the password changes meanwhile: the change ends existing sessions but would
 * miss this one.
 */
export async function signIn(
  auth: Auth,
  db: D1Database,
  credentials: { readonly email: string; readonly password: string },
): Promise<Outcome<OpenedSession>> {
  const found = await passwordHashByEmail.first(latest(db), { email: credentials.email });
  try {
    const { headers, response } = await auth.api.signInEmail({
      body: { ...credentials },
      headers: new Headers(),
      returnHeaders: true,
    });
    const cookies = headers.getSetCookie();
    const standing = await passwordHashById.first(latest(db), { accountId: response.user.id });
    if (standing?.hash === found?.hash) return accept(await openSession(auth, cookies));
    const left = await readSession(auth, asCookieHeader(cookies));
    if (left !== null) await deleteSession.run(db, left.session);
    return wrongCredentials();
  } catch (thrown) {
    if (libraryCodeOf(thrown) !== "INVALID_EMAIL_OR_PASSWORD") throw thrown;
    return wrongCredentials();
  }
}

const wrongCredentials = () => refuse("CREDENTIALS_INVALID", "The address or the password is wrong.");

/**
 * Ends the session and returns the cookies that clear it. The row is deleted first, because the library hides a failure
 * to delete it.
 */
export async function signOut(
  auth: Auth,
  db: D1Database,
  { accountId, sessionId }: AccountSession,
  cookies: string,
): Promise<readonly string[]> {
  await deleteSession.run(db, { accountId, sessionId });
  const { headers } = await auth.api.signOut({ headers: cookiesOnly(cookies), returnHeaders: true });
  return headers.getSetCookie();
}

/** The API's representation of a session, without its token. */
export const presentSession = (session: AccountSession): SessionView => ({
  account: pick(session, "accountId", "name", "email", "isEmailConfirmed", "language"),
  session: { createdAt: toTimestamp(session.createdAtMs), expiresAt: toTimestamp(session.expiresAtMs) },
});
