import { env } from "cloudflare:workers";
import { afterAll, describe, expect, it } from "vitest";
import { balanceMessageSchema, jobMessageSchema } from "#api/schemas/webhook-message.ts";
import { failJob, RENDERING_FAILED } from "#domains/jobs/end-job.ts";
import { clock } from "#platform/clock.ts";
import { verifyMessage } from "../../scripts/run/receivers/webhook-receiver.ts";
import { callAs } from "../support/accounts.ts";
import { execute } from "../support/database.ts";
import {
  clientWithOwner,
  closeDeliveries,
  consumeDelivery,
  HOOK_URL,
  inWorkspace,
  listDeliveries,
  saved,
  standIn,
  verified,
} from "../support/deliveries.ts";
import { acceptedJob, cancel, deliver, failByDeadLetter, packOf, postJob, readJob } from "../support/jobs.ts";
import { recordMessages } from "../support/sent-messages.ts";

afterAll(closeDeliveries);
const EVENTS = ["job.succeeded", "job.failed", "job.canceled"];

async function listening(credits: number, body: Record<string, unknown>) {
  const sender = await clientWithOwner({ credits });
  const receivers = standIn();
  const webhook = await saved(sender, { kind: "webhook", url: HOOK_URL, ...body });
  return { client: sender.client, sender, receivers, ...webhook };
}

const typesOf = async (sender: Parameters<typeof listDeliveries>[0]) =>
  (await listDeliveries(sender)).items.map(({ eventType }) => eventType).reverse();

describe("API §6.1 the end of a job", () => {
  it("is reported by one message that contains the job as the API shows it: succeeded, failed, canceled", async () => {
    const { client, sender, receivers, signingSecret } = await listening(20, { events: EVENTS });
    const succeeded = await acceptedJob(client);
    await deliver({ jobId: succeeded.jobId, part: 0 });
    await deliver({ jobId: succeeded.jobId, part: 0 });
    const failed = await acceptedJob(client);
    await failByDeadLetter({ jobId: failed.jobId, part: 0 });
    await failJob(env.DB, failed.jobId, RENDERING_FAILED, clock.now(), {});
    const canceled = await acceptedJob(client);
    for (let time = 0; time < 2; time += 1) await cancel(client.secret, canceled.jobId);

    const { items } = await listDeliveries(sender);
    expect(items.map(({ eventType, jobId }) => [eventType, jobId])).toEqual([
      ["job.canceled", canceled.jobId],
      ["job.failed", failed.jobId],
      ["job.succeeded", succeeded.jobId],
    ]);
    for (const { deliveryId } of items) expect(await consumeDelivery(deliveryId)).toBe("acknowledged");
    const messages = verified(receivers, signingSecret);
    for (const { body } of messages) {
      expect(body.data.job).toEqual(await readJob(client.secret, body.data.job.jobId));
      expect(body.type).toBe(`job.${body.data.job.status}`);
      expect(jobMessageSchema.parse(body)).toEqual(body);
    }
    expect(new Set(messages.map(({ id }) => id)).size).toBe(3);
  });

  it("is reported only to webhooks that subscribe to it and are neither disabled nor removed", async () => {
    const { client, sender, destination } = await listening(20, { events: ["job.failed"] });
    const end = async () => cancel(client.secret, (await acceptedJob(client)).jobId);
    await end();
    expect(await typesOf(sender)).toEqual([]);
    const path = inWorkspace(sender, "destinations");
    const body = { kind: "webhook", url: HOOK_URL, events: ["job.canceled"] };
    expect((await callAs(sender.account, "POST", path, { body })).status).toBe(200);
    await end();
    expect(await typesOf(sender)).toEqual(["job.canceled"]);
    await execute`UPDATE destinations SET disabled_at = 1
      WHERE destination_id = ${destination.destinationId}`;
    await end();
    await callAs(sender.account, "DELETE", `${path}/${destination.destinationId}`);
    await end();
    expect(await typesOf(sender)).toEqual(["job.canceled"]);
  });

  it("is reported by the next request or sweep if the first attempt to send failed", async () => {
    const { client, sender } = await listening(20, { events: EVENTS });
    const { jobId } = await acceptedJob(client);
    await deliver({ jobId, part: 0 });
    const [item] = (await listDeliveries(sender)).items;
    const sent = recordMessages(env.DELIVERY_QUEUE);
    await deliver({ jobId: crypto.randomUUID(), part: 0 });
    expect(sent()).toContainEqual({ deliveryId: item?.deliveryId });
  });
});

describe("API §6.5 a falling balance", () => {
  it("is reported once each time it crosses the threshold", async () => {
    const { client, sender, receivers, signingSecret } = await listening(5, {
      events: ["balance.low"],
      lowBalanceBelow: 4,
    });
    const jobs = [];
    for (let time = 0; time < 3; time += 1) jobs.push(await acceptedJob(client));
    // The balance goes 5 → 4 → 3 → 2. Only the second step crosses the threshold.
    expect(await typesOf(sender)).toEqual(["balance.low"]);
    for (const { jobId } of jobs) await cancel(client.secret, jobId);
    for (let time = 0; time < 3; time += 1) await acceptedJob(client);
    expect(await typesOf(sender)).toEqual(["balance.low", "balance.low"]);
    for (const { deliveryId } of (await listDeliveries(sender)).items) await consumeDelivery(deliveryId);
    const messages = verified(receivers, signingSecret).map(({ body }) => body);
    for (const message of messages) expect(balanceMessageSchema.parse(message)).toEqual(message);
    expect(messages.map(({ data }) => data)).toMatchObject([
      { unit: "credit", available: 3, lowBalanceBelow: 4, workspaceId: sender.workspaceId },
      { unit: "credit", available: 3, lowBalanceBelow: 4, workspaceId: sender.workspaceId },
    ]);
  });

  it("is reported once for a single step far below", async () => {
    const { client, sender } = await listening(10, { events: ["balance.low"], lowBalanceBelow: 9 });
    await acceptedJob(client, { selectedSizeIds: ["iab-320x50", "iab-120x60", "iab-300x250"] });
    await acceptedJob(client);
    expect(await typesOf(sender)).toEqual(["balance.low"]);
  });

  it("is not reported for a refused payment", async () => {
    const { client, sender } = await listening(1, { events: ["balance.low"], lowBalanceBelow: 1 });
    const sizes = { selectedSizeIds: ["iab-320x50", "iab-120x60"] };
    expect((await postJob(client.secret, packOf(client, sizes))).status).toBe(402);
    expect(await typesOf(sender)).toEqual([]);
  });
});

it("after rotation, the new and the old secret both sign, and each signature verifies", async () => {
  const { client, sender, receivers, destination, signingSecret } = await listening(20, { events: EVENTS });
  const path = inWorkspace(sender, `destinations/${destination.destinationId}/rotate-secret`);
  const rotated = await callAs(sender.account, "POST", path);
  expect(rotated.status).toBe(200);
  expect(rotated.body.data.destination.previousSecretUntil).not.toBeNull();
  const { jobId } = await acceptedJob(client);
  await cancel(client.secret, jobId);
  const [item] = (await listDeliveries(sender)).items;
  await consumeDelivery(item?.deliveryId ?? "");
  const [message] = receivers.messages;
  if (message === undefined) throw new Error("no message came");
  expect(message.signature.split(" ")).toHaveLength(2);
  for (const secret of [signingSecret, String(rotated.body.data.signingSecret)])
    verifyMessage(secret, message);
});
