import { checkoutBody, providerPageSchema } from "#api/schemas/billing.ts";
import { createCheckout, findCheckout } from "#domains/billing/purchases/checkout.ts";
import { findUnconfirmedRefusal } from "#domains/workspaces/confirmed-owner.ts";
import { OWNER } from "#interface/http/access.ts";
import { outliveClient } from "#interface/http/context.ts";
import { RefusedRequest, succeed } from "#interface/http/envelope.ts";
import { locksOf, onceForKey } from "#interface/http/idempotency-header.ts";
import { publicOrigin } from "#interface/http/origin.ts";
import { requireCapability } from "#interface/http/require-capability.ts";
import { defineRoute, success } from "#interface/http/route.ts";

export const createCheckoutRoute = defineRoute({
  operationId: "createCheckout",
  method: "post",
  path: "/api/account/workspaces/{workspaceId}/billing/checkout",
  summary: "Begin a purchase",
  description:
    "Answers with a page of the payment provider, where the purchase is paid. The credits, or the plan's first month, " +
    "come when the provider has told of the payment, a moment after it leads back. Where this origin sends mail, the " +
    "owner's address is to be confirmed. Nothing is bought by this request alone.",
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
    200: success(providerPageSchema, "The page that an equal request has had made"),
    201: success(providerPageSchema, "The page of the new purchase"),
  },
  handler: async (c) => {
    const body = c.req.valid("json");
    const { db, workspaceId } = c.var.workspace;
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
    const work = onceForKey(c, {
      body,
      workspaceId,
      locks: locksOf(c),
      execute: (claim) => createCheckout(db, service, claim, purchase),
      replay: (orderId) => findCheckout(db, service, orderId),
    });
    const { value, isReplay } = await outliveClient(c, work);
    return succeed(c, isReplay ? 200 : 201, value);
  },
});
