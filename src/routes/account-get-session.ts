import { createRoute } from "@hono/zod-openapi";
import { presentSession } from "../accounts/session.ts";
import { sessionSchema } from "../contract/schemas/account.ts";
import { succeed } from "../http/envelope.ts";
import { defineRoute, failures, success } from "../http/operation.ts";
import { sessionOperation } from "../http/session-operation.ts";

const route = createRoute({
  ...sessionOperation({
    operationId: "getSession",
    summary: "Read the session",
    description: "Who is signed in, and until when.",
    family: "read",
    needs: [],
    scope: null,
  }),
  method: "get",
  path: "/api/account/session",
  responses: { 200: success(sessionSchema, "The session"), ...failures(401, 429, 500, 501) },
});

export const accountGetSession = defineRoute(route, (c) => succeed(c, 200, presentSession(c.var.session)));
