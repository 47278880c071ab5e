import {
  billingSchema,
  checkoutBody,
  noticesBody,
  noticesSchema,
  paymentPageSchema,
  paymentsQuery,
  providerPageSchema,
  removedTopUpSchema,
  topUpBody,
  topUpSchema,
} from "#api/schemas/billing.ts";
import { listPayments, presentPayment, readBilling } from "#domains/billing/overview.ts";
import { upsertNotices } from "#domains/billing/overview-store.ts";
import { createCheckout, findCheckout } from "#domains/billing/purchases/checkout.ts";
import { openPortal } from "#domains/billing/purchases/portal.ts";
import { removeTopUpRule, setTopUpRule } from "#domains/billing/purchases/top-up-rule.ts";
import { findUnconfirmedRefusal } from "#domains/workspaces/confirmed-owner.ts";
import { memberWith, OWNER } from "#interface/http/access.ts";
import { finishAfterDisconnect } from "#interface/http/context.ts";
import { acceptedValue, RefusedRequest, succeed } from "#interface/http/envelope.ts";
import { locksOf, runOncePerKey } from "#interface/http/idempotency-header.ts";
import { publicOrigin } from "#interface/http/origin.ts";
import { requireCapability } from "#interface/http/require-capability.ts";
import { defineRoute, success } from "#interface/http/route.ts";
import { presentPage } from "#platform/db/page.ts";

const getBillingRoute = defineRoute({
  operationId: "getBilling",
  route: "GET /api/account/workspaces/{workspaceId}/billing",
  summary: "Read billing",
  description: "Price list, plan, automatic purchase and notices of the workspace.",
  access: memberWith("balance:read"),
  needs: ["billing"],
  responses: { 200: success(billingSchema, "The workspace's billing") },
  handler: async (c, { db, workspaceId }) => {
    return succeed(c, 200, await readBilling(db, requireCapability(c, "billing"), workspaceId, c.var.nowMs));
  },
});

const listPaymentsRoute = defineRoute({
  operationId: "listPayments",
  route: "GET /api/account/workspaces/{workspaceId}/billing/payments",
  summary: "List payments",
  description: "Payments of the workspace with their refunds, newest first.",
  access: memberWith("balance:read"),
  query: paymentsQuery,
  responses: { 200: success(paymentPageSchema, "A page of payments") },
  handler: async (c, { db, workspaceId, query: { limit, before } }) => {
    return succeed(c, 200, presentPage(await listPayments(db, workspaceId, limit, before), presentPayment));
  },
});

const setNoticesRoute = defineRoute({
  operationId: "setNotices",
  route: "PUT /api/account/workspaces/{workspaceId}/billing/notices",
  summary: "Set the low-balance notice",
  description: "The owner gets an email each time the balance falls below the threshold.",
  access: OWNER,
  json: noticesBody,
  responses: { 200: success(noticesSchema, "The notices") },
  handler: async (c, { db, workspaceId, json: { lowBalanceBelow } }) => {
    await upsertNotices.run(db, { workspaceId, lowBalanceBelow });
    return succeed(c, 200, { lowBalanceBelow });
  },
});

const createCheckoutRoute = defineRoute({
  operationId: "createCheckout",
  route: "POST /api/account/workspaces/{workspaceId}/billing/checkout",
  summary: "Start a purchase",
  description:
    "Returns the URL of the payment provider's checkout page. This request itself buys nothing. The credits, or " +
    "the first month of the plan, are granted once the provider reports the payment, usually moments after it " +
    "redirects back. If this origin sends mail, the owner's address must be confirmed.",
  access: OWNER,
  needs: ["database", "idempotency", "billing"],
  errors: [
    "EMAIL_NOT_CONFIRMED",
    "OFFER_UNKNOWN",
    "PLAN_ACTIVE",
    "PAYMENT_DISPUTED",
    "PAYMENT_PROVIDER_FAILED",
    "SERVICE_UNAVAILABLE",
  ],
  isIdempotent: true,
  json: checkoutBody,
  responses: {
    200: success(providerPageSchema, "The page from an earlier request with this key"),
    201: success(providerPageSchema, "The checkout page"),
  },
  handler: async (c, { db, workspaceId, json: body }) => {
    const service = requireCapability(c, "billing");
    const refusal = c.var.capabilities.mail === null ? null : await findUnconfirmedRefusal(db, workspaceId);
    if (refusal !== null) throw new RefusedRequest(refusal);
    const page = `${publicOrigin(c)}/w/${workspaceId}/billing`;
    const purchase = {
      workspaceId,
      offerId: body.offerId,
      email: c.var.session.email,
      returnUrls: { bought: `${page}?bought=1`, left: `${page}?bought=0` },
    };
    const work = runOncePerKey(c, {
      body,
      workspaceId,
      locks: locksOf(c),
      execute: (claim) => createCheckout(db, service, claim, purchase),
      replay: (orderId) => findCheckout(db, service, orderId),
    });
    const { value, isReplay } = await finishAfterDisconnect(c, work);
    return succeed(c, isReplay ? 200 : 201, value);
  },
});

const openPortalRoute = defineRoute({
  operationId: "openBillingPortal",
  route: "POST /api/account/workspaces/{workspaceId}/billing/portal",
  summary: "Open the payment portal",
  description:
    "Returns the URL of a page of the payment provider, valid for one visit, to change or cancel the plan, change " +
    "the card and read invoices. The page links back to the Studio.",
  access: OWNER,
  needs: ["billing"],
  errors: ["NOTHING_BOUGHT", "PAYMENT_PROVIDER_FAILED", "SERVICE_UNAVAILABLE"],
  responses: { 201: success(providerPageSchema, "The page") },
  handler: async (c, { db, workspaceId }) => {
    const service = requireCapability(c, "billing");
    const returnUrl = `${publicOrigin(c)}/w/${workspaceId}/billing`;
    return succeed(c, 201, acceptedValue(await openPortal(db, service, workspaceId, returnUrl)));
  },
});

const setTopUpRoute = defineRoute({
  operationId: "setTopUp",
  route: "PUT /api/account/workspaces/{workspaceId}/billing/top-up",
  summary: "Set the automatic purchase",
  description:
    "Buys the offer whenever the balance is below the threshold, including now, with the card stored at the " +
    "payment provider, up to a maximum per calendar month. If the offer's price changes, nothing is bought. A " +
    "failed payment pauses it and the owner gets an email; setting it again resumes it.",
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
  responses: { 200: success(topUpSchema, "The automatic purchase") },
  handler: async (c, { db, workspaceId, json }) => {
    const service = requireCapability(c, "billing");
    const refusal = c.var.capabilities.mail === null ? null : await findUnconfirmedRefusal(db, workspaceId);
    if (refusal !== null) throw new RefusedRequest(refusal);
    const rule = { ...json, workspaceId };
    return succeed(c, 200, acceptedValue(await setTopUpRule(db, service, rule, c.var.nowMs)));
  },
});

const removeTopUpRoute = defineRoute({
  operationId: "removeTopUp",
  route: "DELETE /api/account/workspaces/{workspaceId}/billing/top-up",
  summary: "Remove the automatic purchase",
  description: "May be repeated. A purchase that the payment provider has already accepted is still granted.",
  access: OWNER,
  responses: { 200: success(removedTopUpSchema, "The automatic purchase is off") },
  handler: async (c, { db, workspaceId }) => {
    await removeTopUpRule(db, workspaceId, c.var.nowMs);
    return succeed(c, 200, { removed: true as const });
  },
});

export const routes = [
  ...[getBillingRoute, createCheckoutRoute, setNoticesRoute, listPaymentsRoute],
  ...[openPortalRoute, setTopUpRoute, removeTopUpRoute],
];
