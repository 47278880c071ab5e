import { createRoute } from "@hono/zod-openapi";
import { finishOAuth } from "../accounts/oauth.ts";
import { presentSession } from "../accounts/session.ts";
import { oauthCallbackQuery, providerParams, sessionSchema } from "../contract/schemas/account.ts";
import { countStranger } from "../http/count-guess.ts";
import { acceptedValue, succeed } from "../http/envelope.ts";
import { defineRoute, failures } from "../http/operation.ts";
import { authOf, cookiesOf, requireProvider, sessionStarted, setCookies } from "../http/session.ts";
import { signInOperation } from "../http/session-operation.ts";

const route = createRoute({
  ...signInOperation({
    operationId: "finishOAuth",
    summary: "Come back from a provider",
    description:
      "Where the provider sends the person's browser. Opens a session; the first time it also makes an account with " +
      "its workspace. An address that has an account signs in as that account does, and is refused here.",
    family: "sign-in",
    needs: [],
  }),
  method: "get",
  path: "/api/account/oauth/callback/{provider}",
  request: { params: providerParams, query: oauthCallbackQuery },
  responses: {
    200: sessionStarted(sessionSchema, "The session that was opened"),
    ...failures(400, 401, 429, 500, 501),
  },
});

export const accountOAuthCallback = defineRoute(route, async (c) => {
  const { provider } = c.req.valid("param");
  const query = c.req.valid("query");
  requireProvider(c, provider);
  await countStranger(c, "sign-in");
  const opened = acceptedValue(await finishOAuth(await authOf(c), provider, query, cookiesOf(c)));
  setCookies(c, opened.setCookies);
  return succeed(c, 200, presentSession(opened.session));
});
