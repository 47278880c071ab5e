import { createRoute } from "@hono/zod-openapi";
import { usagePageSchema, usageQuery } from "../contract/schemas/usage.ts";
import { succeed } from "../http/envelope.ts";
import { defineRoute, failures, operation, success } from "../http/operation.ts";
import { requireCapability } from "../http/require-capability.ts";
import { presentEvent } from "../ledger/present.ts";
import { readUsage } from "../ledger/usage.ts";

const route = createRoute({
  ...operation({
    operationId: "listUsage",
    summary: "List ledger events",
    description: "Newest first. A job's reservation is a consumption; cancelling or failing adds a refund.",
    tag: "Balance",
    scope: "balance:read",
    family: "read",
    needs: ["database"],
  }),
  method: "get",
  path: "/api/v1/usage",
  request: { query: usageQuery },
  responses: {
    200: success(usagePageSchema, "A page of ledger events"),
    ...failures(400, 401, 403, 429, 500, 501),
  },
});

export const listUsage = defineRoute(route, async (c) => {
  const { limit, before } = c.req.valid("query");
  const { db } = requireCapability(c, "database");
  const page = await readUsage(db, c.var.principal.workspaceId, limit, before);
  return succeed(c, 200, { items: page.events.map(presentEvent), nextBefore: page.nextBefore });
});
