import { expect, it } from "vitest";
import { newId } from "#platform/ids.ts";
import { balanceOf } from "../support/billing.ts";
import { paidSession, sendEvent } from "../support/billing-webhook.ts";

it("API §19.6 the webhook has no rate limit: of a thousand events, each is applied once", async () => {
  const { workspaceId, order, event, metadata } = await paidSession();
  const payments = Array.from({ length: 200 }, (_, number) => ({
    ...event,
    id: `evt_${newId()}_${number}`,
    data: { object: { ...event.data.object, payment_intent: `pi_${newId()}_${number}`, metadata } },
  }));
  const five = payments.flatMap((payment) => Array.from({ length: 5 }, () => payment));
  for (let start = 0; start < five.length; start += 50) {
    const answers = await Promise.all(five.slice(start, start + 50).map((each) => sendEvent(each)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  }
  expect(await balanceOf(workspaceId)).toBe(200 * order.credits);
});
