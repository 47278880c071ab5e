import { LIMITS } from "#api/limits.ts";
import { receivedEventSchema } from "#api/schemas/billing.ts";
import { applyEventAtHome } from "#domains/billing/apply-event.ts";
import { verifyEvent } from "#domains/billing/stripe/read-event.ts";
import { enqueueMail } from "#domains/mail/dispatch-mail.ts";
import { PUBLIC } from "#interface/http/access.ts";
import { finishAfterDisconnect } from "#interface/http/context.ts";
import { acceptedValue, succeed } from "#interface/http/envelope.ts";
import { readSignedText } from "#interface/http/json-body.ts";
import { requireCapability } from "#interface/http/require-capability.ts";
import { defineRoute, success } from "#interface/http/route.ts";
import { capabilitiesAt } from "#platform/bindings/capabilities-at.ts";

export const receiveBillingEventRoute = defineRoute({
  operationId: "receiveBillingEvent",
  route: "POST /api/billing/events",
  summary: "Receive an event of the payment provider",
  description:
    "For Stripe only: the raw body, with a `Stripe-Signature` of at most five minutes ago. Each event is applied " +
    "once, even if it arrives repeatedly, late or out of order. Events without effect here also get 200. Not rate " +
    "limited.",
  access: PUBLIC,
  ignoresOtherParameters: true,
  needs: ["database", "billing"],
  errors: ["INVALID_REQUEST", "SIGNATURE_INVALID", "BODY_INCOMPLETE", "PAYLOAD_TOO_LARGE", "SERVICE_BUSY"],
  responses: { 200: success(receivedEventSchema, "The event was accepted") },
  handler: async (c) => {
    const { databases } = requireCapability(c, "database");
    const service = requireCapability(c, "billing");
    const { nowMs } = c.var;
    const signature = c.req.header("Stripe-Signature") ?? "";
    const body = await readSignedText(c, LIMITS.billingEventBytesMax);
    const event = acceptedValue(await verifyEvent(service, { body, signature, nowMs }));
    if (event === null) return succeed(c, 200, { outcome: "ignored" as const });
    const { outcome, home } = await finishAfterDisconnect(c, applyEventAtHome(databases, event, nowMs));
    const { mail = null, database = null } = capabilitiesAt(c.var.capabilities, home) ?? {};
    if (mail !== null && database !== null && outcome === "applied") {
      c.executionCtx.waitUntil(enqueueMail(mail.queue, database.db));
    }
    return succeed(c, 200, { outcome });
  },
});
