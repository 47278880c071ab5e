import {
  billingSchema,
  noticesBody,
  noticesSchema,
  paymentPageSchema,
  paymentsQuery,
} from "#api/schemas/billing.ts";
import { listPayments, presentPayment, readBilling } from "#domains/billing/overview.ts";
import { upsertNotices } from "#domains/billing/overview-store.ts";
import { memberWith, OWNER } from "#interface/http/access.ts";
import { succeed } from "#interface/http/envelope.ts";
import { requireCapability } from "#interface/http/require-capability.ts";
import { defineRoute, success } from "#interface/http/route.ts";

export const getBillingRoute = defineRoute({
  operationId: "getBilling",
  method: "get",
  path: "/api/account/workspaces/{workspaceId}/billing",
  summary: "See what can be bought and what was",
  description: "The price list, the plan, the automatic purchase and the notices of the workspace.",
  access: memberWith("balance:read"),
  needs: ["billing"],
  responses: { 200: success(billingSchema, "The workspace's billing") },
  handler: async (c) => {
    const { db, workspaceId } = c.var.workspace;
    return succeed(c, 200, await readBilling(db, requireCapability(c, "billing"), workspaceId, c.var.nowMs));
  },
});

export const listPaymentsRoute = defineRoute({
  operationId: "listPayments",
  method: "get",
  path: "/api/account/workspaces/{workspaceId}/billing/payments",
  summary: "List payments",
  description: "What the workspace has paid for, newest first, with what was given back of it.",
  access: memberWith("balance:read"),
  query: paymentsQuery,
  responses: { 200: success(paymentPageSchema, "A page of payments") },
  handler: async (c) => {
    const { db, workspaceId } = c.var.workspace;
    const { limit, before } = c.req.valid("query");
    const { items, nextBefore } = await listPayments(db, workspaceId, limit, before);
    return succeed(c, 200, { items: items.map(presentPayment), nextBefore });
  },
});

export const setNoticesRoute = defineRoute({
  operationId: "setNotices",
  method: "put",
  path: "/api/account/workspaces/{workspaceId}/billing/notices",
  summary: "Say below which balance to write",
  description: "The owner is written a mail when the balance falls below it, once for each fall.",
  access: OWNER,
  json: noticesBody,
  responses: { 200: success(noticesSchema, "The notices as they are now") },
  handler: async (c) => {
    const { db, workspaceId } = c.var.workspace;
    const { lowBalanceBelow } = c.req.valid("json");
    await upsertNotices.run(db, { workspaceId, lowBalanceBelow });
    return succeed(c, 200, { lowBalanceBelow });
  },
});
