import { afterAll, beforeEach, expect, it } from "vitest";
import { DELIVERY_LIMITS } from "#api/delivery-rules.ts";
import { destinationListSchema } from "#api/schemas/destination.ts";
import { callAs } from "../support/accounts.ts";
import { execute, selectValue } from "../support/database.ts";
import {
  closeDeliveries,
  HOOK_URL,
  holdDeliveryQueue,
  inWorkspace,
  senderWithPack,
  sendTo,
  started,
} from "../support/deliveries.ts";
import { acceptedJob, cancel } from "../support/jobs.ts";
import { refusalOf } from "../support/refusals.ts";
import { insertWaitingDeliveries, listening } from "../support/waiting-deliveries.ts";

const { openPerDestinationMax } = DELIVERY_LIMITS;

beforeEach(async () => {
  await closeDeliveries();
  holdDeliveryQueue();
});
afterAll(closeDeliveries);
const openOf = async (destinationId: string) =>
  selectValue<number>`SELECT COUNT(*) AS count FROM deliveries
      WHERE destination_id = ${destinationId} AND finished_at IS NULL`;

it("a webhook with a full backlog gets no further messages, while others do, and shows since when it is full", async () => {
  const them = await listening(2);
  const [full = "", other = ""] = them.destinationIds;
  await insertWaitingDeliveries(them, full, openPerDestinationMax - 1, 3_600_000);
  const end = async () => cancel(them.client.secret, (await acceptedJob(them.client)).jobId);
  const missedAt = async () => {
    const answered = await callAs(them.sender.account, "GET", inWorkspace(them.sender, "destinations"));
    const { items } = destinationListSchema.parse(answered.body.data);
    return items.map((item) =>
      item.kind === "webhook" ? [item.destinationId, item.missedAt !== null] : null,
    );
  };
  await end();
  expect([await openOf(full), await openOf(other)]).toEqual([openPerDestinationMax, 1]);
  expect(await missedAt()).toEqual(
    expect.arrayContaining([
      [full, false],
      [other, false],
    ]),
  );
  await end();
  expect([await openOf(full), await openOf(other)]).toEqual([openPerDestinationMax, 2]);
  expect(await missedAt()).toEqual(
    expect.arrayContaining([
      [full, true],
      [other, false],
    ]),
  );
  await execute`UPDATE deliveries SET status = 'dead', finished_at = 1, next_attempt_at = NULL WHERE delivery_number IN
         (SELECT delivery_number FROM deliveries WHERE destination_id = ${full} AND finished_at IS NULL LIMIT 10)`;
  await end();
  expect([await openOf(full), await openOf(other)]).toEqual([openPerDestinationMax - 9, 3]);
});

it("a full backlog refuses manual deliveries and retries", async () => {
  const sender = await senderWithPack();
  const { jobId } = await acceptedJob(sender.pack.client);
  const first = await started(sender, { kind: "webhook", url: HOOK_URL });
  await closeDeliveries();
  const them = { workspaceId: sender.workspaceId, jobId };
  await insertWaitingDeliveries(them, first.destinationId, openPerDestinationMax, 1_000);
  const refused = await sendTo(sender, { destinationId: first.destinationId });
  expect(refusalOf(refused)).toEqual([409, "DESTINATION_LIMIT_REACHED"]);
  const path = inWorkspace(sender, `deliveries/${first.deliveryId}/retry`);
  expect(refusalOf(await callAs(sender.account, "POST", path))).toEqual([409, "DELIVERY_NOT_RETRYABLE"]);
});
