import { env } from "cloudflare:workers";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { DELIVERY_LIMITS } from "../../src/contract/deliveries.ts";
import { destinationListSchema } from "../../src/contract/schemas/destination.ts";
import { clock } from "../../src/platform/clock.ts";
import { newId } from "../../src/platform/ids.ts";
import { outbound } from "../../src/platform/outbound.ts";
import worker from "../../src/worker.ts";
import { addMember, callAs, createAccount } from "../support/accounts.ts";
import {
  closeDeliveries,
  come,
  HOOK_URL,
  holdDeliveryQueue,
  inWorkspace,
  saved,
} from "../support/deliveries.ts";
import { acceptedJob, cancel, holdQueue, workspaceWithLogo } from "../support/jobs.ts";

/**
 * Guarantee: one workspace's receivers, however slow or away, hold a bounded share of the queue, wait for nobody else's
 * and make nobody else wait; and what waits for a receiver is bounded, which its workspace is told.
 */

const { attemptsAtOncePerDestinationMax, attemptsAtOncePerWorkspaceMax, openPerDestinationMax } =
  DELIVERY_LIMITS;

beforeEach(closeDeliveries);
afterAll(closeDeliveries);
afterEach(() => {
  vi.restoreAllMocks();
});

interface Waiting {
  readonly workspaceId: string;
  readonly destinationIds: readonly string[];
}

/** A workspace with webhooks, and a job that their deliveries are about. */
async function listening(destinations: number) {
  holdQueue();
  holdDeliveryQueue();
  const client = await workspaceWithLogo({ credits: 20 });
  const account = await createAccount();
  await addMember(client.workspaceId, account.accountId, "owner");
  const { jobId } = await acceptedJob(client);
  const sender = { account, workspaceId: client.workspaceId };
  const destinationIds: string[] = [];
  for (let number = 0; number < destinations; number += 1) {
    const body = { kind: "webhook", url: `${HOOK_URL}&number=${number}`, events: ["job.canceled"] };
    destinationIds.push((await saved(sender, body)).destination.destinationId);
  }
  return { client, sender, jobId, workspaceId: client.workspaceId, destinationIds };
}

/** Deliveries of a destination that wait for their turn since some time ago, as the triggers write them. */
async function waiting(
  { workspaceId, jobId }: { readonly workspaceId: string; readonly jobId: string },
  destinationId: string,
  count: number,
  sinceMs: number,
): Promise<readonly string[]> {
  const deliveryIds = Array.from({ length: count }, newId);
  await env.DB.prepare(
    `INSERT INTO deliveries (delivery_id, workspace_id, destination_id, event_type, reference, job_id, status,
       next_attempt_at, created_at)
     SELECT value, ?2, ?3, 'job.canceled', value, ?4, 'queued', ?5 + key, ?5 FROM json_each(?1)`,
  )
    .bind(JSON.stringify(deliveryIds), workspaceId, destinationId, jobId, clock.now() - sinceMs)
    .run();
  return deliveryIds;
}

/** Records what is sent to the queue instead of sending it. */
function recordQueue() {
  const spy = vi.spyOn(env.DELIVERY_QUEUE, "sendBatch").mockResolvedValue({
    metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } },
  });
  return (): string[] =>
    spy.mock.calls.flatMap(([messages]) =>
      [...messages].map(({ body }) => (body as { deliveryId: string }).deliveryId),
    );
}

const tick = () => worker.scheduled({} as ScheduledController, env);

/** A receiver that keeps every request until it is let go. */
function slowReceivers() {
  const held: (() => void)[] = [];
  vi.spyOn(outbound, "fetch").mockImplementation(
    () => new Promise((resolve) => held.push(() => resolve(new Response(null, { status: 204 })))),
  );
  return held;
}

const untilHeld = (held: readonly unknown[], count: number) =>
  vi.waitFor(() => expect(held.length).toBe(count), { timeout: 10_000, interval: 10 });

const rowOf = (deliveryId: string) =>
  env.DB.prepare(
    "SELECT status, attempts, dispatched_at AS dispatchedAt FROM deliveries WHERE delivery_id = ?1",
  )
    .bind(deliveryId)
    .first<{ status: string; attempts: number; dispatchedAt: number | null }>();

describe("attempts at work at once", () => {
  it("of one destination are few; the rest wait without having lost anything, and are sent in its place", async () => {
    const them = await listening(1);
    const [destinationId = ""] = them.destinationIds;
    const deliveryIds = await waiting(them, destinationId, attemptsAtOncePerDestinationMax + 2, 1_000);
    const held = slowReceivers();
    const coming = deliveryIds.map((deliveryId) => come(deliveryId));
    await untilHeld(held, attemptsAtOncePerDestinationMax);
    // Those without a place are through already: they hold no consumer.
    await vi.waitFor(async () => {
      const { results } = await env.DB.prepare(
        `SELECT delivery_id FROM deliveries
         WHERE workspace_id = ?1 AND status = 'queued' AND attempts = 0 AND dispatched_at IS NULL`,
      )
        .bind(them.workspaceId)
        .all();
      expect(results).toHaveLength(2);
    });
    const sent = recordQueue();
    for (const letGo of held) letGo();
    expect(await Promise.all(coming)).toEqual(deliveryIds.map(() => "acknowledged"));
    const rest = deliveryIds.filter((deliveryId) => sent().includes(deliveryId));
    expect(rest).toHaveLength(2);
    expect(held).toHaveLength(attemptsAtOncePerDestinationMax);
  });

  it("of one workspace are few; another's goes out meanwhile", async () => {
    const count = Math.ceil(attemptsAtOncePerWorkspaceMax / attemptsAtOncePerDestinationMax) + 1;
    const them = await listening(count);
    const deliveryIds: string[] = [];
    for (const destinationId of them.destinationIds) {
      deliveryIds.push(...(await waiting(them, destinationId, attemptsAtOncePerDestinationMax, 1_000)));
    }
    const held = slowReceivers();
    const coming = deliveryIds.map((deliveryId) => come(deliveryId));
    await untilHeld(held, attemptsAtOncePerWorkspaceMax);
    const us = await listening(1);
    const [ours = ""] = await waiting(us, us.destinationIds[0] ?? "", 1, 0);
    const going = come(ours);
    await untilHeld(held, attemptsAtOncePerWorkspaceMax + 1);
    for (const letGo of held) letGo();
    await Promise.all([...coming, going]);
    expect(await rowOf(ours)).toMatchObject({ status: "succeeded", attempts: 1 });
    expect(held).toHaveLength(attemptsAtOncePerWorkspaceMax + 1);
  });

  it("leave the place of an attempt that died once its lease has ended", async () => {
    const them = await listening(1);
    const [destinationId = ""] = them.destinationIds;
    const deliveryIds = await waiting(them, destinationId, attemptsAtOncePerDestinationMax + 1, 1_000);
    const [last = ""] = deliveryIds.slice(-1);
    await env.DB.prepare(
      `UPDATE deliveries SET status = 'running', lease_id = 'dead/1', next_attempt_at = ?3, dispatched_at = ?3
       WHERE destination_id = ?1 AND delivery_id <> ?2`,
    )
      .bind(destinationId, last, clock.now() - 60_000)
      .run();
    vi.spyOn(outbound, "fetch").mockResolvedValue(new Response(null, { status: 204 }));
    expect(await come(last)).toBe("acknowledged");
    expect(await rowOf(last)).toMatchObject({ status: "succeeded" });
  });
});

describe("what is sent to the queue", () => {
  it("is no more than has a place, and of every workspace, whatever another has waiting for longer", async () => {
    const them = await listening(2);
    for (const destinationId of them.destinationIds) await waiting(them, destinationId, 200, 3_600_000);
    const us = await listening(1);
    const [ours = ""] = await waiting(us, us.destinationIds[0] ?? "", 1, 1_000);
    const sent = recordQueue();
    await tick();
    expect(sent()).toContain(ours);
    expect(sent()).toHaveLength(2 * attemptsAtOncePerDestinationMax + 1);
  });

  it("lets the destinations of a workspace take turns: one that answers does not wait for those that do not", async () => {
    const count = attemptsAtOncePerWorkspaceMax / attemptsAtOncePerDestinationMax + 1;
    const them = await listening(count);
    const [live = "", ...dead] = them.destinationIds;
    const stuck: Waiting = { workspaceId: them.workspaceId, destinationIds: dead };
    for (const destinationId of stuck.destinationIds) await waiting(them, destinationId, 100, 3_600_000);
    const [ours = ""] = await waiting(them, live, 1, 1_000);
    const sent = recordQueue();
    await tick();
    expect(sent()).toContain(ours);
    expect(sent()).toHaveLength(attemptsAtOncePerWorkspaceMax);
  });

  it("is what waits longest, of one destination", async () => {
    const them = await listening(1);
    const deliveryIds = await waiting(them, them.destinationIds[0] ?? "", 10, 60_000);
    const sent = recordQueue();
    await tick();
    expect(sent()).toEqual(deliveryIds.slice(0, attemptsAtOncePerDestinationMax));
  });

  it("comes again when its message was lost", async () => {
    const them = await listening(1);
    const [deliveryId = ""] = await waiting(them, them.destinationIds[0] ?? "", 1, 3_600_000);
    await env.DB.prepare("UPDATE deliveries SET dispatched_at = ?2 WHERE delivery_id = ?1")
      .bind(deliveryId, clock.now() - 11 * 60_000)
      .run();
    const sent = recordQueue();
    await tick();
    expect(sent()).toEqual([deliveryId]);
    await tick();
    expect(sent()).toEqual([deliveryId]);
  });
});

describe("what waits for one destination", () => {
  const openOf = async (destinationId: string) =>
    env.DB.prepare(
      "SELECT COUNT(*) AS count FROM deliveries WHERE destination_id = ?1 AND finished_at IS NULL",
    )
      .bind(destinationId)
      .first<number>("count");

  it("ends somewhere: it is told nothing more, others are, and the workspace sees since when", async () => {
    const them = await listening(2);
    const [full = "", other = ""] = them.destinationIds;
    await waiting(them, full, openPerDestinationMax - 1, 3_600_000);
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
    await env.DB.prepare(
      `UPDATE deliveries SET status = 'dead', finished_at = 1, next_attempt_at = NULL WHERE delivery_number IN
         (SELECT delivery_number FROM deliveries WHERE destination_id = ?1 AND finished_at IS NULL LIMIT 10)`,
    )
      .bind(full)
      .run();
    await end();
    expect([await openOf(full), await openOf(other)]).toEqual([openPerDestinationMax - 9, 3]);
  });

  it("takes no pack that is sent to it by hand either, and no dead one back", async () => {
    const { senderWithPack, sendTo, started } = await import("../support/deliveries.ts");
    const sender = await senderWithPack();
    const { jobId } = await acceptedJob(sender.pack.client);
    const first = await started(sender, { kind: "webhook", url: HOOK_URL });
    await closeDeliveries();
    const them = { workspaceId: sender.workspaceId, jobId };
    await waiting(them, first.destinationId, openPerDestinationMax, 1_000);
    const refused = await sendTo(sender, { destinationId: first.destinationId });
    expect([refused.status, refused.body.error.code]).toEqual([409, "DESTINATION_LIMIT_REACHED"]);
    const path = inWorkspace(sender, `deliveries/${first.deliveryId}/retry`);
    const retried = await callAs(sender.account, "POST", path);
    expect([retried.status, retried.body.error.code]).toEqual([409, "DELIVERY_NOT_RETRYABLE"]);
  });
});
