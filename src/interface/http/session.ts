import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import type { OAuthProvider } from "#api/oauth-providers.ts";
import { endMirroredSessions } from "#domains/accounts/members/end-sessions-on-shards.ts";
import { type Auth, openAuth } from "#domains/accounts/sign-in/auth.ts";
import { deviceOf, noteDevice } from "#domains/accounts/sign-in/known-devices.ts";
import { type AccountSession, readSession } from "#domains/accounts/sign-in/session.ts";
import { cookieNameOf, hasCookie } from "#domains/accounts/sign-in/session-cookie.ts";
import { enqueueMail } from "#domains/mail/dispatch-mail.ts";
import type { AppEnv } from "./context.ts";
import { refused } from "./envelope.ts";
import { publicOrigin } from "./origin.ts";
import { requireCapability } from "./require-capability.ts";

/** better-auth for this request's origin; 501 if accounts are not configured. */
export const authOf = (c: Context<AppEnv>): Promise<Auth> =>
  openAuth(
    c.env.auth,
    requireCapability(c, "accounts"),
    publicOrigin(c),
    c.var.capabilities.mail?.encryption ?? null,
  );

/** The request's Cookie header; empty if missing. */
export const cookiesOf = (c: Context<AppEnv>): string => c.req.header("Cookie") ?? "";

export function setCookies(c: Context<AppEnv>, cookies: readonly string[]): void {
  for (const cookie of cookies) c.header("Set-Cookie", cookie, { append: true });
}

/**
 * The hash of the browser's device cookie, which is set here if it is new. Null without mail, because notices of new
 * devices are emails.
 */
export async function takeDevice(c: Context<AppEnv>): Promise<string | null> {
  if (c.var.capabilities.mail === null) return null;
  const { deviceHash, setCookie } = await deviceOf(publicOrigin(c), cookiesOf(c));
  setCookies(c, [setCookie]);
  return deviceHash;
}

/** Records the browser of a new session, and sends the account's owner an email if the browser is new. */
export async function noteSignIn(
  c: Context<AppEnv>,
  session: AccountSession,
  deviceHash: string | null,
): Promise<void> {
  if (deviceHash === null) return;
  const { db } = requireCapability(c, "accounts");
  await noteDevice(db, session, deviceHash, c.var.nowMs);
  sendMail(c, db);
}

/** Enqueues the emails just written to a database, after the answer. */
export function sendMail(c: Context<AppEnv>, db: D1Database): void {
  const ofOrigin = c.env.capabilities;
  // Mail about accounts is in `DB`, even if the workspace is on a shard, so its queue messages must not name the shard.
  const { mail } = db === ofOrigin.accounts?.db ? ofOrigin : c.var.capabilities;
  if (mail !== null) c.executionCtx.waitUntil(enqueueMail(mail.queue, db));
}

/** Requires a session cookie; 401 SESSION_MISSING or SESSION_INVALID otherwise. */
export const authenticateSession = createMiddleware<AppEnv>(async (c, next) => {
  if (!hasCookie(c.req.header("Cookie"), cookieNameOf(publicOrigin(c)))) {
    throw refused("SESSION_MISSING", "The request carries no session.");
  }
  const opened = await readSession(await authOf(c), cookiesOf(c));
  if (opened === null) {
    throw refused("SESSION_INVALID", "The session is altered or has ended.");
  }
  c.set("session", opened.session);
  setCookies(c, opened.setCookies);
  await next();
});

/** 501 if this origin has no OAuth application at the provider. */
export function requireProvider(c: Context<AppEnv>, provider: OAuthProvider): void {
  if (requireCapability(c, "accounts").oauth[provider] !== null) return;
  const name = provider.toUpperCase();
  const settings = [`OAUTH_${name}_CLIENT_ID`, `OAUTH_${name}_CLIENT_SECRET`].filter(
    (setting) => !Reflect.get(c.env.bindings, setting),
  );
  const message = `Signing in with ${provider} is not configured on this origin: ${settings.join(" and ")} missing.`;
  throw refused("SERVICE_NOT_CONFIGURED", message, { settings });
}

/** The documented header that sets the device cookie, where mail is configured. */
export const SET_DEVICE_HEADER = {
  "Set-Cookie": {
    description:
      "If this origin sends mail: a random cookie that identifies the browser. HttpOnly, Secure, SameSite=Lax.",
    schema: { type: "string" },
  },
};

/** The documented header of a success that sets or clears cookies. */
export const SET_COOKIE_HEADER = {
  "Set-Cookie": {
    description: "HttpOnly, Secure, SameSite=Lax, for this host only.",
    schema: { type: "string" },
  },
};

/**
 * Ends an account's sessions on all shards. Call after they have ended in `DB` and before the answer. From then on,
 * shards refuse writes of these sessions. This isolate also drops their cached keys.
 */
export async function endSessionsEverywhere(c: Context<AppEnv>, accountId: string): Promise<void> {
  await endMirroredSessions(requireCapability(c, "accounts").databases, accountId);
  c.env.recentKeys.deleteOfAccount(accountId);
}
