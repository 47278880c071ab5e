import { sessionSchema, signedOutSchema, signInBody } from "#api/schemas/account.ts";
import { presentSession, signIn, signOut } from "#domains/accounts/sign-in/session.ts";
import { SESSION, SIGN_IN } from "#interface/http/access.ts";
import { acceptedValue, succeed } from "#interface/http/envelope.ts";
import { countLogin, countPasswordAttempt, withPasswordSlot } from "#interface/http/login-throttle.ts";
import { requireCapability } from "#interface/http/require-capability.ts";
import { defineRoute, success } from "#interface/http/route.ts";
import {
  authOf,
  cookiesOf,
  endSessionsEverywhere,
  noteSignIn,
  SET_COOKIE_HEADER,
  setCookies,
  takeDevice,
} from "#interface/http/session.ts";

export const signInRoute = defineRoute({
  operationId: "signIn",
  method: "post",
  path: "/api/account/sign-in",
  summary: "Sign in",
  description:
    "Opens a session and sets its cookie. An unknown address and a wrong password are answered alike. " +
    "Tries are counted by network and by address, over 15 minutes. Where this origin sends mail, a confirmed address is " +
    "told of a browser that the account has not signed in with before.",
  access: SIGN_IN,
  window: "sign-in",
  needs: ["rateLimit"],
  errors: ["CREDENTIALS_INVALID", "SIGN_IN_BUSY"],
  json: signInBody,
  responses: { 200: success(sessionSchema, "The session that was opened", SET_COOKIE_HEADER) },
  handler: async (c) => {
    const credentials = c.req.valid("json");
    await countLogin(c, "sign-in");
    const { db } = requireCapability(c, "accounts");
    const deviceHash = await takeDevice(c);
    const opened = await withPasswordSlot(c, async () => {
      await countPasswordAttempt(c, credentials.email);
      return acceptedValue(await signIn(await authOf(c), db, credentials));
    });
    await noteSignIn(c, opened.session, deviceHash);
    setCookies(c, opened.setCookies);
    return succeed(c, 200, presentSession(opened.session));
  },
});

export const getSessionRoute = defineRoute({
  operationId: "getSession",
  method: "get",
  path: "/api/account/session",
  summary: "Read the session",
  description: "Who is signed in, and until when.",
  access: SESSION,
  responses: { 200: success(sessionSchema, "The session") },
  handler: (c) => succeed(c, 200, presentSession(c.var.session)),
});

export const signOutRoute = defineRoute({
  operationId: "signOut",
  method: "post",
  path: "/api/account/sign-out",
  summary: "Sign out",
  description: "Ends the session everywhere at once, and clears its cookie.",
  access: SESSION,
  responses: { 200: success(signedOutSchema, "The session has ended", SET_COOKIE_HEADER) },
  handler: async (c) => {
    const { db } = requireCapability(c, "accounts");
    setCookies(c, await signOut(await authOf(c), db, c.var.session, cookiesOf(c)));
    await endSessionsEverywhere(c, c.var.session.accountId);
    return succeed(c, 200, { signedOut: true as const });
  },
});
