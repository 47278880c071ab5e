import type { Context } from "hono";
import { oauthCallbackQuery, oauthStartSchema, providerParams, sessionSchema } from "#api/schemas/account.ts";
import { grantFreeSize } from "#domains/accounts/free-size.ts";
import { finishOAuth, startOAuth } from "#domains/accounts/sign-in/oauth.ts";
import { presentSession } from "#domains/accounts/sign-in/session.ts";
import { SIGN_IN } from "#interface/http/access.ts";
import type { AppEnv } from "#interface/http/context.ts";
import { acceptedValue, succeed } from "#interface/http/envelope.ts";
import { countLogin } from "#interface/http/login-throttle.ts";
import { requireCapability } from "#interface/http/require-capability.ts";
import { defineRoute, success } from "#interface/http/route.ts";
import {
  authOf,
  cookiesOf,
  noteSignIn,
  requireProvider,
  SET_COOKIE_HEADER,
  setCookies,
  takeDevice,
} from "#interface/http/session.ts";
import { isNavigation } from "#interface/http/studio-page.ts";
import { log } from "#platform/log/log.ts";

/** Grants the free size if enabled. A failure is logged; the next sign-in tries again. */
async function grantFreeSizeTo(c: Context<AppEnv>, email: string): Promise<void> {
  if (c.env.bindings.FREE_SIZE !== "on") return;
  try {
    await grantFreeSize(requireCapability(c, "accounts").databases, email, c.var.nowMs);
  } catch (thrown) {
    log.failure({ event: "free_size_not_granted", operation: "finishOAuth" }, thrown);
  }
}

export const startOAuthRoute = defineRoute({
  operationId: "startOAuth",
  route: "POST /api/account/oauth/{provider}",
  summary: "Start a sign-in with a provider",
  description:
    "Returns the provider's URL for the browser, and sets a cookie that ties the sign-in to this browser. 501 if " +
    "this origin has no application at the provider.",
  access: SIGN_IN,
  window: "sign-in",
  needs: ["rateLimit"],
  params: providerParams,
  responses: { 200: success(oauthStartSchema, "The provider's URL", SET_COOKIE_HEADER) },
  handler: async (c, { param: { provider } }) => {
    requireProvider(c, provider);
    await countLogin(c, "sign-in");
    const { url, setCookies: cookies } = await startOAuth(await authOf(c), provider);
    setCookies(c, cookies);
    return succeed(c, 200, { provider, url });
  },
});

export const finishOAuthRoute = defineRoute({
  operationId: "finishOAuth",
  route: "GET /api/account/oauth/callback/{provider}",
  summary: "Complete a sign-in with a provider",
  description:
    "The provider redirects the browser here. Opens a session, and creates the account and its workspace at the " +
    "first sign-in. If the address already has an account without this provider, the sign-in is rejected. Browser " +
    "navigations (`Sec-Fetch-Mode`) are redirected to the Studio; other clients get JSON.",
  access: SIGN_IN,
  window: "sign-in",
  needs: ["rateLimit"],
  errors: ["OAUTH_REFUSED"],
  params: providerParams,
  query: oauthCallbackQuery,
  ignoresOtherParameters: true,
  responses: {
    200: success(sessionSchema, "The new session", SET_COOKIE_HEADER),
    303: {
      description: "Redirect of a browser to the Studio, signed in or with an error",
      headers: SET_COOKIE_HEADER,
    },
  },
  handler: async (c, { param: { provider }, query }) => {
    requireProvider(c, provider);
    await countLogin(c, "sign-in");
    const deviceHash = await takeDevice(c);
    const outcome = await finishOAuth(await authOf(c), provider, query, cookiesOf(c));
    if (outcome.ok) {
      await noteSignIn(c, outcome.value.session, deviceHash);
      await grantFreeSizeTo(c, outcome.value.session.email);
    }
    if (isNavigation(c)) {
      if (outcome.ok) setCookies(c, outcome.value.setCookies);
      return c.redirect(outcome.ok ? "/" : `/sign-in?refused=${outcome.code}`, 303);
    }
    const opened = acceptedValue(outcome);
    setCookies(c, opened.setCookies);
    return succeed(c, 200, presentSession(opened.session));
  },
});
