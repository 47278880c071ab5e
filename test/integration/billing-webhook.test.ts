import { expect, it, vi } from "vitest";
import { clock } from "#platform/clock.ts";
import { balanceOf } from "../support/billing.ts";
import { paidSession, sendEvent } from "../support/billing-webhook.ts";
import { selectRow } from "../support/database.ts";
import { refusalOf } from "../support/refusals.ts";

it("API §19.6 a timestamp too far in the future for clock skew is refused until then", async () => {
  const { workspaceId, event } = await paidSession();
  const future = { ...event, created: event.created + 360 };
  expect(refusalOf(await sendEvent(future))).toEqual([400, "INVALID_REQUEST"]);
  expect(await balanceOf(workspaceId)).toBe(0);
  vi.spyOn(clock, "now").mockReturnValue(Date.now() + 90_000);
  expect((await sendEvent(future)).body.data.outcome).toBe("applied");
  expect(await balanceOf(workspaceId)).toBe(100);
});

it("the webhook stores no names and no addresses of customers", async () => {
  const { event } = await paidSession();
  await sendEvent(event);
  const row = await selectRow<{
    facts: string;
  }>`SELECT facts FROM billing_events WHERE event_id = ${event.id}`;
  expect(row?.facts).toContain("payment-succeeded");
  expect(row?.facts).not.toContain("packs.example");
});

it("an event in an unknown format is 500, so that Stripe resends it", async () => {
  const { event } = await paidSession();
  const altered = { ...event.data.object, amount_total: "9.00" };
  expect((await sendEvent({ ...event, data: { object: altered } })).status).toBe(500);
});
