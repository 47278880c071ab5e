import { providerPageSchema, removedTopUpSchema, topUpBody, topUpSchema } from "#api/schemas/billing.ts";
import { openPortal } from "#domains/billing/purchases/portal.ts";
import { removeTopUpRule, setTopUpRule } from "#domains/billing/purchases/top-up-rule.ts";
import { findUnconfirmedRefusal } from "#domains/workspaces/confirmed-owner.ts";
import { OWNER } from "#interface/http/access.ts";
import { acceptedValue, RefusedRequest, succeed } from "#interface/http/envelope.ts";
import { publicOrigin } from "#interface/http/origin.ts";
import { requireCapability } from "#interface/http/require-capability.ts";
import { defineRoute, success } from "#interface/http/route.ts";

export const openPortalRoute = defineRoute({
  operationId: "openBillingPortal",
  method: "post",
  path: "/api/account/workspaces/{workspaceId}/billing/portal",
  summary: "Manage the plan and the card",
  description:
    "Answers with a page of the payment provider, good for one visit, where the plan is changed or cancelled, the card " +
    "changed, and invoices are read. It leads back to the Studio.",
  access: OWNER,
  needs: ["billing"],
  errors: ["NOTHING_BOUGHT", "PAYMENT_PROVIDER_FAILED", "SERVICE_UNAVAILABLE"],
  responses: { 201: success(providerPageSchema, "The page") },
  handler: async (c) => {
    const { db, workspaceId } = c.var.workspace;
    const service = requireCapability(c, "billing");
    const returnUrl = `${publicOrigin(c)}/w/${workspaceId}/billing`;
    return succeed(c, 201, acceptedValue(await openPortal(db, service, workspaceId, returnUrl)));
  },
});

export const setTopUpRoute = defineRoute({
  operationId: "setTopUp",
  method: "put",
  path: "/api/account/workspaces/{workspaceId}/billing/top-up",
  summary: "Buy credits by themselves",
  description:
    "Buys the offer whenever the balance is below the mark, with the card that the payment provider keeps, up to a cap in " +
    "a calendar month; at once where the balance is below it already. At another price than the offer's present one " +
    "nothing is bought. A payment that fails pauses it and is mailed to the owner; setting it again lets it go on.",
  access: OWNER,
  needs: ["billing"],
  errors: [
    "EMAIL_NOT_CONFIRMED",
    "OFFER_UNKNOWN",
    "PAYMENT_METHOD_REQUIRED",
    "PAYMENT_DISPUTED",
    "PAYMENT_PROVIDER_FAILED",
    "SERVICE_UNAVAILABLE",
  ],
  json: topUpBody,
  responses: { 200: success(topUpSchema, "The rule as it is now") },
  handler: async (c) => {
    const { db, workspaceId } = c.var.workspace;
    const service = requireCapability(c, "billing");
    const refusal = c.var.capabilities.mail === null ? null : await findUnconfirmedRefusal(db, workspaceId);
    if (refusal !== null) throw new RefusedRequest(refusal);
    const rule = { ...c.req.valid("json"), workspaceId };
    return succeed(c, 200, acceptedValue(await setTopUpRule(db, service, rule, c.var.nowMs)));
  },
});

export const removeTopUpRoute = defineRoute({
  operationId: "removeTopUp",
  method: "delete",
  path: "/api/account/workspaces/{workspaceId}/billing/top-up",
  summary: "Stop buying credits by themselves",
  description:
    "May be repeated. A purchase that the payment provider has taken already is granted all the same.",
  access: OWNER,
  responses: { 200: success(removedTopUpSchema, "There is no rule any more") },
  handler: async (c) => {
    const { db, workspaceId } = c.var.workspace;
    await removeTopUpRule(db, workspaceId, c.var.nowMs);
    return succeed(c, 200, { removed: true as const });
  },
});
