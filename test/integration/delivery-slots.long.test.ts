import { env } from "cloudflare:workers";
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { DELIVERY_LIMITS } from "#api/delivery-rules.ts";
import { clock } from "#platform/clock.ts";
import worker from "../../src/worker.ts";
import { execute, selectRow, selectRows } from "../support/database.ts";
import { closeDeliveries, consumeDelivery } from "../support/deliveries.ts";
import { standInForInternet } from "../support/internet.ts";
import { recordMessages } from "../support/sent-messages.ts";
import { insertWaitingDeliveries, listening } from "../support/waiting-deliveries.ts";

const { attemptsAtOncePerDestinationMax, attemptsAtOncePerWorkspaceMax } = DELIVERY_LIMITS;

beforeEach(closeDeliveries);
afterAll(closeDeliveries);
/** Records deliveries instead of sending them to the queue. */
function recordQueue() {
  const sent = recordMessages(env.DELIVERY_QUEUE);
  return (): string[] => sent().map((body) => (body as { deliveryId: string }).deliveryId);
}

const tick = () => worker.scheduled({} as ScheduledController, env);

/** A receiver that holds every request until it is released. */
function slowReceivers() {
  const held: (() => void)[] = [];
  standInForInternet(
    () => new Promise((resolve) => held.push(() => resolve(new Response(null, { status: 204 })))),
  );
  return held;
}

const untilHeld = (held: readonly unknown[], count: number) =>
  vi.waitFor(() => expect(held.length).toBe(count), { timeout: 10_000, interval: 10 });

const rowOf = (deliveryId: string) =>
  selectRow<{
    status: string;
    attempts: number;
    dispatchedAt: number | null;
  }>`SELECT status, attempts, dispatched_at AS dispatchedAt FROM deliveries WHERE delivery_id = ${deliveryId}`;

describe("API §12.10 concurrent attempts", () => {
  it("of one destination are limited; the others wait without losing an attempt, and are sent later", async () => {
    const them = await listening(1);
    const [destinationId = ""] = them.destinationIds;
    const deliveryIds = await insertWaitingDeliveries(
      them,
      destinationId,
      attemptsAtOncePerDestinationMax + 2,
      1_000,
    );
    const held = slowReceivers();
    const coming = deliveryIds.map((deliveryId) => consumeDelivery(deliveryId));
    await untilHeld(held, attemptsAtOncePerDestinationMax);
    // Messages without a slot were acknowledged, so they occupy no consumer.
    await vi.waitFor(
      async () => {
        const results = await selectRows`SELECT delivery_id FROM deliveries
         WHERE workspace_id = ${them.workspaceId} AND status = 'queued' AND attempts = 0 AND dispatched_at IS NULL`;
        expect(results).toHaveLength(2);
      },
      { timeout: 30_000 },
    );
    const sent = recordQueue();
    for (const letGo of held) letGo();
    expect(await Promise.all(coming)).toEqual(deliveryIds.map(() => "acknowledged"));
    const rest = deliveryIds.filter((deliveryId) => sent().includes(deliveryId));
    expect(rest).toHaveLength(2);
    expect(held).toHaveLength(attemptsAtOncePerDestinationMax);
  });

  it("of one workspace are limited; another workspace's are sent meanwhile", async () => {
    const count = Math.ceil(attemptsAtOncePerWorkspaceMax / attemptsAtOncePerDestinationMax) + 1;
    const them = await listening(count);
    const deliveryIds: string[] = [];
    for (const destinationId of them.destinationIds) {
      deliveryIds.push(
        ...(await insertWaitingDeliveries(them, destinationId, attemptsAtOncePerDestinationMax, 1_000)),
      );
    }
    const held = slowReceivers();
    const coming = deliveryIds.map((deliveryId) => consumeDelivery(deliveryId));
    await untilHeld(held, attemptsAtOncePerWorkspaceMax);
    const us = await listening(1);
    const [ours = ""] = await insertWaitingDeliveries(us, us.destinationIds[0] ?? "", 1, 0);
    const going = consumeDelivery(ours);
    await untilHeld(held, attemptsAtOncePerWorkspaceMax + 1);
    for (const letGo of held) letGo();
    await Promise.all([...coming, going]);
    expect(await rowOf(ours)).toMatchObject({ status: "succeeded", attempts: 1 });
    expect(held).toHaveLength(attemptsAtOncePerWorkspaceMax + 1);
  });

  it("release a dead attempt's slot when its lease has ended", async () => {
    const them = await listening(1);
    const [destinationId = ""] = them.destinationIds;
    const deliveryIds = await insertWaitingDeliveries(
      them,
      destinationId,
      attemptsAtOncePerDestinationMax + 1,
      1_000,
    );
    const [last = ""] = deliveryIds.slice(-1);
    await env.DB.prepare(
      `UPDATE deliveries SET status = 'running', lease_id = 'dead/1', next_attempt_at = ?3, dispatched_at = ?3
       WHERE destination_id = ?1 AND delivery_id <> ?2`,
    )
      .bind(destinationId, last, clock.now() - 60_000)
      .run();
    standInForInternet(async () => new Response(null, { status: 204 }));
    expect(await consumeDelivery(last)).toBe("acknowledged");
    expect(await rowOf(last)).toMatchObject({ status: "succeeded" });
  });
});

describe("messages to the queue", () => {
  it("are limited to the free slots, and come from every workspace", async () => {
    const them = await listening(2);
    for (const destinationId of them.destinationIds)
      await insertWaitingDeliveries(them, destinationId, 200, 3_600_000);
    const us = await listening(1);
    const [ours = ""] = await insertWaitingDeliveries(us, us.destinationIds[0] ?? "", 1, 1_000);
    const sent = recordQueue();
    await tick();
    expect(sent()).toContain(ours);
    expect(sent()).toHaveLength(2 * attemptsAtOncePerDestinationMax + 1);
  });

  it("serve a workspace's destinations in turn, so that slow ones do not block others", async () => {
    const count = attemptsAtOncePerWorkspaceMax / attemptsAtOncePerDestinationMax + 1;
    const them = await listening(count);
    const [live = "", ...dead] = them.destinationIds;
    for (const destinationId of dead) await insertWaitingDeliveries(them, destinationId, 100, 3_600_000);
    const [ours = ""] = await insertWaitingDeliveries(them, live, 1, 1_000);
    const sent = recordQueue();
    await tick();
    expect(sent()).toContain(ours);
    expect(sent()).toHaveLength(attemptsAtOncePerWorkspaceMax);
  });

  it("start with a destination's longest waiting delivery", async () => {
    const them = await listening(1);
    const deliveryIds = await insertWaitingDeliveries(them, them.destinationIds[0] ?? "", 10, 60_000);
    const sent = recordQueue();
    await tick();
    expect(sent()).toEqual(deliveryIds.slice(0, attemptsAtOncePerDestinationMax));
  });

  it("are repeated if lost", async () => {
    const them = await listening(1);
    const [deliveryId = ""] = await insertWaitingDeliveries(them, them.destinationIds[0] ?? "", 1, 3_600_000);
    await execute`UPDATE deliveries SET dispatched_at = ${clock.now() - 11 * 60_000}
      WHERE delivery_id = ${deliveryId}`;
    const sent = recordQueue();
    await tick();
    expect(sent()).toEqual([deliveryId]);
    await tick();
    expect(sent()).toEqual([deliveryId]);
  });
});
