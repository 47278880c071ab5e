import { createRoute } from "@hono/zod-openapi";
import { startOAuth } from "../accounts/oauth.ts";
import { oauthStartSchema, providerParams } from "../contract/schemas/account.ts";
import { countStranger } from "../http/count-guess.ts";
import { succeed } from "../http/envelope.ts";
import { defineRoute, failures } from "../http/operation.ts";
import { authOf, requireProvider, sessionStarted, setCookies } from "../http/session.ts";
import { signInOperation } from "../http/session-operation.ts";

const route = createRoute({
  ...signInOperation({
    operationId: "startOAuth",
    summary: "Begin to sign in with a provider",
    description:
      "Gives the provider's address for the person's browser, and sets the cookie by which the way back is known. " +
      "501 where this origin has no application at the provider.",
    family: "sign-in",
    needs: [],
  }),
  method: "post",
  path: "/api/account/oauth/{provider}",
  request: { params: providerParams },
  responses: {
    200: sessionStarted(oauthStartSchema, "Where to send the person"),
    ...failures(400, 403, 429, 501),
  },
});

export const accountOAuthStart = defineRoute(route, async (c) => {
  const { provider } = c.req.valid("param");
  requireProvider(c, provider);
  await countStranger(c, "sign-in");
  const { url, setCookies: cookies } = await startOAuth(await authOf(c), provider);
  setCookies(c, cookies);
  return succeed(c, 200, { provider, url });
});
