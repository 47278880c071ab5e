import { env } from "cloudflare:workers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { shareMessageSchema, testMessageSchema } from "#api/schemas/webhook-message.ts";
import { callAs } from "../support/accounts.ts";
import { execute } from "../support/database.ts";
import {
  closeDeliveries,
  consumeDelivery,
  HOOK_URL,
  holdDeliveryQueue,
  inWorkspace,
  listDeliveries,
  type Sender,
  saved,
  senderWithPack,
  standIn,
  verified,
} from "../support/deliveries.ts";
import { refusalOf } from "../support/refusals.ts";
import { say, shareOf } from "../support/shares.ts";
import { spyOnWrites } from "../support/write-batches.ts";

let sender: Sender;
beforeAll(async () => {
  sender = await senderWithPack();
});
afterAll(closeDeliveries);

const newest = async () => (await listDeliveries(sender)).items[0];

const test = (destinationId: string, account = sender.account) =>
  callAs(account, "POST", inWorkspace(sender, `destinations/${destinationId}/test`));

it("API §18.4, §6.1 share.commented goes to each subscribed webhook, with the comment's text", async () => {
  holdDeliveryQueue();
  const receivers = standIn();
  const asks = await saved(sender, { kind: "webhook", url: HOOK_URL, events: ["share.commented"] });
  await saved(sender, { kind: "webhook", url: `${HOOK_URL}&other`, events: ["job.succeeded"] });
  const { share, token } = await shareOf(sender.pack, { name: "Round one" });
  const { body } = await say(token, { name: "Grace", text: 'Quotes " and ümlauts', verdict: "approved" });
  const { commentToken, ...comment } = body.data;
  expect(commentToken).toBeTypeOf("string");
  const { items } = await listDeliveries(sender);
  expect(items.map(({ eventType, destinationId }) => [eventType, destinationId])).toEqual([
    ["share.commented", asks.destination.destinationId],
  ]);
  expect(await consumeDelivery(items[0]?.deliveryId ?? "")).toBe("acknowledged");
  const [message] = verified(receivers, asks.signingSecret ?? "");
  expect(shareMessageSchema.parse(message?.body).data).toMatchObject({
    artifactId: sender.pack.artifactId,
    share: { shareId: share.shareId, name: "Round one" },
    comment,
  });
  // A refusal sends no message.
  await say(token, { name: "Grace" });
  expect((await listDeliveries(sender)).items).toHaveLength(1);
});

describe("API §6.8 webhook.test", () => {
  it("is signed and delivered like every message; while one is open, another request returns it", async () => {
    holdDeliveryQueue();
    const receivers = standIn();
    const { destination, signingSecret } = await saved(sender, {
      kind: "webhook",
      url: `${HOOK_URL}&tried`,
      events: [],
    });
    const begun = await test(destination.destinationId);
    expect([begun.status, begun.body.data.eventType]).toEqual([202, "webhook.test"]);
    expect(begun.headers.get("Location")).toContain(begun.body.data.deliveryId);
    expect((await test(destination.destinationId)).body.data.deliveryId).toBe(begun.body.data.deliveryId);
    expect(await consumeDelivery(begun.body.data.deliveryId)).toBe("acknowledged");
    const [message] = verified(receivers, signingSecret ?? "");
    expect(testMessageSchema.parse(message?.body).data.deliveryId).toBe(begun.body.data.deliveryId);
    expect(await newest()).toMatchObject({ status: "succeeded", artifactId: null, jobId: null });
    expect((await test(destination.destinationId)).body.data.deliveryId).not.toBe(begun.body.data.deliveryId);
  });

  it("fails with a reason if the webhook is disabled meanwhile", async () => {
    holdDeliveryQueue();
    const { destination } = await saved(sender, { kind: "webhook", url: `${HOOK_URL}&stops`, events: [] });
    const { batch } = env.DB;
    spyOnWrites().mockImplementationOnce(async (statements) => {
      await execute`UPDATE destinations SET disabled_at = 1 WHERE destination_id = ${destination.destinationId}`;
      return batch.call(env.DB, statements);
    });
    expect(refusalOf(await test(destination.destinationId))).toEqual([409, "DESTINATION_DISABLED"]);
  });
});
