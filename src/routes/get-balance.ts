import { createRoute } from "@hono/zod-openapi";
import { balanceSchema } from "../contract/schemas/balance.ts";
import { succeed } from "../http/envelope.ts";
import { defineRoute, failures, operation, success } from "../http/operation.ts";
import { requireCapability } from "../http/require-capability.ts";
import { presentBalance } from "../ledger/present.ts";
import { readPaidAccess } from "../ledger/service.ts";

const route = createRoute({
  ...operation({
    operationId: "getBalance",
    summary: "Read the balance",
    description: "Usable credits, subscription quota or unlimited access, whichever applies.",
    tag: "Balance",
    scope: "balance:read",
    family: "read",
    needs: ["database"],
  }),
  method: "get",
  path: "/api/v1/balance",
  responses: { 200: success(balanceSchema, "The balance"), ...failures(401, 403, 429, 500, 501) },
});

export const getBalance = defineRoute(route, async (c) => {
  const { db } = requireCapability(c, "database");
  const access = await readPaidAccess(db, c.get("principal").workspaceId, c.get("nowMs"));
  return succeed(c, 200, presentBalance(access));
});
