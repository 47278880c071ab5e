import {
  sessionSchema,
  signedOutSchema,
  signInBody,
  signUpBody,
  signUpSchema,
} from "#api/schemas/account.ts";
import { checkNewPassword } from "#domains/accounts/password/password-rules.ts";
import { presentSession, signIn, signOut } from "#domains/accounts/sign-in/session.ts";
import { signUp } from "#domains/accounts/sign-in/sign-up.ts";
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
  SET_DEVICE_HEADER,
  sendMail,
  setCookies,
  takeDevice,
} from "#interface/http/session.ts";
import { readAgentRequestRoute } from "./agents.ts";
import { addressRoutes } from "./email.ts";
import { finishOAuthRoute, startOAuthRoute } from "./oauth.ts";
import { passwordRoutes } from "./passwords.ts";

const signUpRoute = defineRoute({
  operationId: "signUp",
  route: "POST /api/account/sign-up",
  summary: "Sign up",
  description:
    "Creates an account and a workspace without credits that it owns. If the address already has an account, " +
    "nothing changes and the response is the same. Sign in next. Common passwords, sequences, repetitions, and the " +
    "address or parts of it are rejected: 400. If this origin sends mail, the new account gets a confirmation link.",
  access: SIGN_IN,
  window: "sign-up",
  needs: ["rateLimit"],
  errors: ["SIGN_IN_BUSY"],
  json: signUpBody,
  responses: { 202: success(signUpSchema, "The account was created", SET_DEVICE_HEADER) },
  handler: async (c, { json: request }) => {
    const { db } = requireCapability(c, "accounts");
    acceptedValue(checkNewPassword("password", request.password, request.email));
    await countLogin(c, "sign-up");
    const { language = "en", ...person } = request;
    const deviceHash = await takeDevice(c);
    await withPasswordSlot(c, async () => signUp(await authOf(c), db, { ...person, language, deviceHash }));
    // Runs for existing addresses too. The response does not wait for it.
    sendMail(c, db);
    return succeed(c, 202, { email: request.email });
  },
});

const signInRoute = defineRoute({
  operationId: "signIn",
  route: "POST /api/account/sign-in",
  summary: "Sign in",
  description:
    "Opens a session and sets its cookie. An unknown address and a wrong password get the same error. Attempts " +
    "count by network and by address over 15 minutes. If this origin sends mail, a confirmed address is notified " +
    "of a sign-in from a new browser.",
  access: SIGN_IN,
  window: "sign-in",
  needs: ["rateLimit"],
  errors: ["CREDENTIALS_INVALID", "SIGN_IN_BUSY"],
  json: signInBody,
  responses: { 200: success(sessionSchema, "The new session", SET_COOKIE_HEADER) },
  handler: async (c, { json: credentials }) => {
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

const getSessionRoute = defineRoute({
  operationId: "getSession",
  route: "GET /api/account/session",
  summary: "Read the session",
  description: "The signed-in account and the expiry of its session.",
  access: SESSION,
  responses: { 200: success(sessionSchema, "The session") },
  handler: (c) => succeed(c, 200, presentSession(c.var.session)),
});

const signOutRoute = defineRoute({
  operationId: "signOut",
  route: "POST /api/account/sign-out",
  summary: "Sign out",
  description: "Ends the session immediately and clears its cookie.",
  access: SESSION,
  responses: { 200: success(signedOutSchema, "The session has ended", SET_COOKIE_HEADER) },
  handler: async (c) => {
    const { db } = requireCapability(c, "accounts");
    setCookies(c, await signOut(await authOf(c), db, c.var.session, cookiesOf(c)));
    await endSessionsEverywhere(c, c.var.session.accountId);
    return succeed(c, 200, { signedOut: true as const });
  },
});

export const routes = [
  ...[signUpRoute, signInRoute, startOAuthRoute, finishOAuthRoute, getSessionRoute, signOutRoute],
  ...passwordRoutes,
  ...addressRoutes,
  readAgentRequestRoute,
];
