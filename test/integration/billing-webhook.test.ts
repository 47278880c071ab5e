import { describe, expect, it, vi } from "vitest";
import { clock } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import { balanceOf } from "../support/billing.ts";
import { BILLING, paidSession, sendEvent, signedHeader } from "../support/billing-webhook.ts";
import { selectRow } from "../support/database.ts";
import { call } from "../support/workspace.ts";

/** API §19.6: the webhook takes what Stripe signed, once, and nothing else. */

const PATH = "/api/billing/events";

describe("a signed event", () => {
  it("is applied, and answered 200 as often as it comes", async () => {
    const { workspaceId, event } = await paidSession();
    for (let time = 0; time < 3; time += 1) {
      const answer = await sendEvent(event);
      expect(answer.status).toBe(200);
      expect(answer.body.data).toEqual({ outcome: "applied" });
    }
    expect(await balanceOf(workspaceId)).toBe(100);
  });

  it("grants once with the event of its PaymentIntent", async () => {
    const { workspaceId, order, paymentId, metadata, event } = await paidSession();
    const intent = { id: paymentId, amount_received: order.amount, currency: order.currency, metadata };
    const paid = {
      ...event,
      id: `evt_${newId()}`,
      type: "payment_intent.succeeded",
      data: { object: intent },
    };
    expect((await sendEvent(paid)).body.data.outcome).toBe("applied");
    expect((await sendEvent(event)).body.data.outcome).toBe("applied");
    expect(await balanceOf(workspaceId)).toBe(100);
  });

  it("grants nothing while its payment is under way", async () => {
    const { workspaceId, event } = await paidSession();
    const unpaid = { ...event.data.object, payment_status: "unpaid" };
    expect((await sendEvent({ ...event, data: { object: unpaid } })).body.data.outcome).toBe("ignored");
    expect(await balanceOf(workspaceId)).toBe(0);
    const succeeded = { ...event, id: `evt_${newId()}`, type: "checkout.session.async_payment_succeeded" };
    expect((await sendEvent(succeeded)).body.data.outcome).toBe("applied");
    expect(await balanceOf(workspaceId)).toBe(100);
  });

  it("API §19.6 is refused while it is dated in the future, beyond what clocks differ by, and taken once its time has come", async () => {
    const { workspaceId, event } = await paidSession();
    const future = { ...event, created: event.created + 360 };
    const refused = await sendEvent(future);
    expect([refused.status, refused.body.error.code]).toEqual([400, "INVALID_REQUEST"]);
    expect(await balanceOf(workspaceId)).toBe(0);
    vi.spyOn(clock, "now").mockReturnValue(Date.now() + 90_000);
    expect((await sendEvent(future)).body.data.outcome).toBe("applied");
    expect(await balanceOf(workspaceId)).toBe(100);
  });

  it("is of no use where it is of another kind, or names no order", async () => {
    const { workspaceId, event } = await paidSession();
    expect((await sendEvent({ ...event, type: "customer.created" })).body.data.outcome).toBe("ignored");
    const foreign = { ...event.data.object, metadata: { shop: "another" } };
    expect((await sendEvent({ ...event, data: { object: foreign } })).body.data.outcome).toBe("ignored");
    expect(await balanceOf(workspaceId)).toBe(0);
  });

  it("leaves no name and no address in the database", async () => {
    const { event } = await paidSession();
    await sendEvent(event);
    const row = await selectRow<{
      facts: string;
    }>`SELECT facts FROM billing_events WHERE event_id = ${event.id}`;
    expect(row?.facts).toContain("payment-succeeded");
    expect(row?.facts).not.toContain("packs.example");
  });

  it("is 500 where its form is not known, so that it is sent again", async () => {
    const { event } = await paidSession();
    const altered = { ...event.data.object, amount_total: "9.00" };
    expect((await sendEvent({ ...event, data: { object: altered } })).status).toBe(500);
  });
});

describe("anything else", () => {
  const now = () => Math.floor(Date.now() / 1_000);

  it.each([
    ["no signature", () => Promise.resolve("")],
    ["a signature of another secret", (body: string) => signedHeader(body, now(), "whsec_another")],
    ["a signature of another body", (body: string) => signedHeader(`${body} `, now())],
    ["an old signature", (body: string) => signedHeader(body, now() - 301)],
    ["a signature from the future", (body: string) => signedHeader(body, now() + 360)],
    [
      "a signature without its time",
      async (body: string) => (await signedHeader(body, now())).replace(/^t=\d+,/, ""),
    ],
    [
      "a signature of another scheme",
      async (body: string) => (await signedHeader(body, now())).replace("v1=", "v0="),
    ],
    [
      "a signature with another time",
      async (body: string) => (await signedHeader(body, now() - 400)).replace(/^t=\d+/, `t=${now()}`),
    ],
  ])("is 400 SIGNATURE_INVALID with %s", async (_, header) => {
    const { workspaceId, event } = await paidSession();
    const body = JSON.stringify(event);
    const answer = await call("POST", PATH, {
      settings: BILLING,
      headers: { "Stripe-Signature": await header(body), "Content-Type": "application/json" },
      body: new TextEncoder().encode(body),
    });
    expect(answer.status).toBe(400);
    expect(answer.body.error.code).toBe("SIGNATURE_INVALID");
    expect(await balanceOf(workspaceId)).toBe(0);
    expect(await selectRow`SELECT 1 FROM billing_events WHERE event_id = ${event.id}`).toBeNull();
  });

  it("is 413 where it is larger than any event", async () => {
    const answer = await sendEvent({ id: "evt_large", padding: "x".repeat(300_000) });
    expect(answer.status).toBe(413);
  });

  it("is 501 where nothing is sold", async () => {
    const answer = await call("POST", PATH, { body: {} });
    expect(answer.status).toBe(501);
    expect(answer.body.error.details.settings).toContain("STRIPE_SECRET_KEY");
  });
});
