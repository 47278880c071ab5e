import { createRoute } from "@hono/zod-openapi";
import { signOut } from "../accounts/session.ts";
import { signedOutSchema } from "../contract/schemas/account.ts";
import { succeed } from "../http/envelope.ts";
import { defineRoute, failures } from "../http/operation.ts";
import { requireCapability } from "../http/require-capability.ts";
import { authOf, cookiesOf, sessionStarted, setCookies } from "../http/session.ts";
import { sessionOperation } from "../http/session-operation.ts";

const route = createRoute({
  ...sessionOperation({
    operationId: "signOut",
    summary: "Sign out",
    description: "Ends the session everywhere at once, and clears its cookie.",
    family: "write",
    needs: [],
    scope: null,
  }),
  method: "post",
  path: "/api/account/sign-out",
  responses: {
    200: sessionStarted(signedOutSchema, "The session has ended"),
    ...failures(401, 403, 429, 500, 501),
  },
});

export const accountSignOut = defineRoute(route, async (c) => {
  const { db } = requireCapability(c, "accounts");
  setCookies(c, await signOut(await authOf(c), db, c.var.session, cookiesOf(c)));
  return succeed(c, 200, { signedOut: true as const });
});
