import { createRoute } from "@hono/zod-openapi";
import { presentSession, signIn } from "../accounts/session.ts";
import { sessionSchema, signInBody } from "../contract/schemas/account.ts";
import { countEmail, countStranger } from "../http/count-guess.ts";
import { acceptedValue, succeed } from "../http/envelope.ts";
import { defineRoute, failures } from "../http/operation.ts";
import { withPasswordSlot } from "../http/password-work.ts";
import { requireCapability } from "../http/require-capability.ts";
import { authOf, sessionStarted, setCookies } from "../http/session.ts";
import { signInOperation } from "../http/session-operation.ts";

const route = createRoute({
  ...signInOperation({
    operationId: "signIn",
    summary: "Sign in",
    description:
      "Opens a session and sets its cookie. An unknown address and a wrong password are answered alike. " +
      "Tries are counted by network and by address, over 15 minutes.",
    family: "sign-in",
    needs: [],
    takesJson: true,
  }),
  method: "post",
  path: "/api/account/sign-in",
  request: { body: { required: true, content: { "application/json": { schema: signInBody } } } },
  responses: {
    200: sessionStarted(sessionSchema, "The session that was opened"),
    ...failures(400, 401, 403, 415, 429, 500, 501),
  },
});

export const accountSignIn = defineRoute(route, async (c) => {
  const credentials = c.req.valid("json");
  await countStranger(c, "sign-in");
  const { db } = requireCapability(c, "accounts");
  const opened = await withPasswordSlot(c, async () => {
    await countEmail(c, credentials.email);
    return acceptedValue(await signIn(await authOf(c), db, credentials));
  });
  setCookies(c, opened.setCookies);
  return succeed(c, 200, presentSession(opened.session));
});
