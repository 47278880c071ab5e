import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { DELIVERY_ATTEMPTS_MAX, DELIVERY_BACKOFF_SECONDS } from "#api/delivery-rules.ts";
import { runSweeps } from "#interface/queue/sweeps/run-sweeps.ts";
import { readCapabilities } from "#platform/bindings/capabilities.ts";
import { clock } from "#platform/clock.ts";
import { log } from "#platform/log/log.ts";
import { pathOf } from "../support/artifacts.ts";
import { execute } from "../support/database.ts";
import {
  consumeDelivery,
  HOOK_URL,
  holdDeliveries,
  holdDeliveryQueue,
  listDeliveries,
  pass,
  readDelivery,
  retryDelivery,
  type Sender,
  senderWithPack,
  standIn,
  started,
  verified,
} from "../support/deliveries.ts";
import { refusalOf } from "../support/refusals.ts";
import { recordMessages } from "../support/sent-messages.ts";
import { call } from "../support/workspace.ts";

holdDeliveries();
let shared: Sender;
beforeAll(async () => {
  shared = await senderWithPack();
});

let run = 0;
/** Each test uses the receiver under another URL. */
const webhookOfRun = () => ({ kind: "webhook", url: `${HOOK_URL}&run=${run}` });

/** Creates a delivery without an attempt. Tests that change the pack pass their own sender. */
async function begun(sender = shared) {
  const queue = holdDeliveryQueue();
  run += 1;
  const receivers = standIn();
  const delivery = await started(sender, webhookOfRun());
  return { queue, sender, receivers, delivery, secret: delivery.signingSecret ?? "" };
}

describe("a message", () => {
  it("can be verified with the library, contains the manifest, and has links that work", async () => {
    const { sender, receivers, delivery, secret } = await begun();
    expect(delivery).toMatchObject({ status: "queued", attempts: 0, progress: { total: 1, completed: 0 } });
    expect(await consumeDelivery(delivery.deliveryId)).toBe("acknowledged");
    const [message] = verified(receivers, secret);
    expect(message?.id).toBe(delivery.deliveryId);
    const { type, data } = message?.body ?? {};
    expect([type, data.detail, data.fileCount]).toEqual(["artifact.delivery", "full", 2]);
    expect(data.artifact).toEqual(sender.pack.manifest);
    for (const { url } of [data.download, ...data.download.files]) {
      expect((await call("GET", pathOf(url))).status).toBe(200);
    }
    const after = await readDelivery(sender, delivery.deliveryId);
    expect(after).toMatchObject({
      status: "succeeded",
      attempts: 1,
      failure: null,
      nextAttemptAt: null,
      progress: { total: 1, completed: 1 },
      files: [],
    });
  });

  it("API §6.3 is sent once if its queue message repeats, and not before it is due", async () => {
    const { sender, receivers, delivery } = await begun();
    await consumeDelivery(delivery.deliveryId);
    expect(await consumeDelivery(delivery.deliveryId)).toBe("acknowledged");
    expect(receivers.messages).toHaveLength(1);
    const second = await started(sender, webhookOfRun());
    receivers.answers.push(new Response(null, { status: 500 }));
    expect(await consumeDelivery(second.deliveryId)).toEqual({ delaySeconds: DELIVERY_BACKOFF_SECONDS[0] });
    expect(await consumeDelivery(second.deliveryId)).toBe("acknowledged");
    expect(receivers.messages).toHaveLength(2);
  });
});

describe("API §6.7 a message that the receiver does not accept", () => {
  it.each([
    ["500", new Response(null, { status: 500 }), 500],
    ["400", new Response("no", { status: 400 }), 400],
    [
      "a redirect, which is not followed",
      new Response(null, { status: 302, headers: { Location: "http://127.0.0.1/" } }),
      302,
    ],
    ["nothing", new TypeError("connection refused"), null],
  ])("(%s) is retried with the same id", async (_, refusal, receiverStatus) => {
    const { sender, receivers, delivery, secret } = await begun();
    receivers.answers.push(refusal);
    await consumeDelivery(delivery.deliveryId);
    const waiting = await readDelivery(sender, delivery.deliveryId);
    expect(waiting).toMatchObject({ status: "retrying", attempts: 1, failure: { receiverStatus } });
    expect(JSON.stringify(waiting)).not.toContain("in-the-query");
    pass(5);
    await consumeDelivery(delivery.deliveryId);
    expect(await readDelivery(sender, delivery.deliveryId)).toMatchObject({
      status: "succeeded",
      attempts: 2,
    });
    expect(receivers.requests).toHaveLength(2);
    expect(new Set(verified(receivers, secret).map(({ id }) => id))).toEqual(new Set([delivery.deliveryId]));
  });

  it("is retried as documented, then dead, and may be retried manually", async () => {
    const { sender, receivers, delivery } = await begun();
    const waits: unknown[] = [];
    for (let attempt = 0; attempt < DELIVERY_ATTEMPTS_MAX; attempt += 1) {
      receivers.answers.push(new Response(null, { status: 503 }));
      const consumed = await consumeDelivery(delivery.deliveryId);
      waits.push(consumed === "acknowledged" ? null : consumed.delaySeconds);
      pass(DELIVERY_BACKOFF_SECONDS[attempt] ?? 0);
    }
    expect(waits).toEqual([...DELIVERY_BACKOFF_SECONDS, null]);
    const { items } = await listDeliveries(sender, "?status=dead");
    expect(items[0]?.deliveryId).toBe(delivery.deliveryId);
    const retried = await retryDelivery(sender, delivery.deliveryId);
    expect(retried.status).toBe(202);
    expect(retried.body.data).toMatchObject({ status: "queued", attempts: 0 });
    const again = await retryDelivery(sender, delivery.deliveryId);
    expect(refusalOf(again)).toEqual([409, "DELIVERY_NOT_RETRYABLE"]);
    await consumeDelivery(delivery.deliveryId);
    expect(await readDelivery(sender, delivery.deliveryId)).toMatchObject({ status: "succeeded" });
  });

  it("waits longer if the receiver asks for that with Retry-After", async () => {
    const { receivers, delivery } = await begun();
    receivers.answers.push(new Response(null, { status: 429, headers: { "Retry-After": "77" } }));
    expect(await consumeDelivery(delivery.deliveryId)).toEqual({ delaySeconds: 77 });
  });
});

describe("API §12.6 a message that cannot be sent ends at once", () => {
  it.each([
    [
      "the artifact has expired",
      "ARTIFACT_UNAVAILABLE",
      "UPDATE artifacts SET expires_at = 1 WHERE workspace_id = ?1",
    ],
    [
      "the destination is removed",
      "DESTINATION_UNAVAILABLE",
      "UPDATE destinations SET deleted_at = 1, sealed = NULL WHERE workspace_id = ?1",
    ],
    [
      "its secrets belong to another row",
      "DESTINATION_UNAVAILABLE",
      "UPDATE destinations SET sealed = replace(sealed, 'v1.', 'v1.0') WHERE workspace_id = ?1",
    ],
  ])("if %s", async (_, code, statement) => {
    const { sender, receivers, delivery } = await begun(await senderWithPack());
    await env.DB.prepare(statement).bind(sender.workspaceId).run();
    expect(await consumeDelivery(delivery.deliveryId)).toBe("acknowledged");
    expect(await readDelivery(sender, delivery.deliveryId)).toMatchObject({
      status: "dead",
      failure: { code },
    });
    expect(receivers.requests).toEqual([]);
  });

  it("a dead letter ends a delivery without remaining attempts", async () => {
    const { sender, delivery } = await begun();
    await execute`UPDATE deliveries SET attempts = ${DELIVERY_ATTEMPTS_MAX}
      WHERE delivery_id = ${delivery.deliveryId}`;
    await consumeDelivery(delivery.deliveryId, { queue: "creative-packs-deliveries-dead" });
    expect(await readDelivery(sender, delivery.deliveryId)).toMatchObject({
      status: "dead",
      failure: { code: "SERVICE_FAULT" },
    });
  });

  it("a dead letter with remaining attempts is sent again", async () => {
    const { queue, sender, delivery } = await begun();
    await execute`UPDATE deliveries SET dispatched_at = ${clock.now()}
      WHERE delivery_id = ${delivery.deliveryId}`;
    const logged = vi.spyOn(log, "failure").mockReturnValue();
    expect(await consumeDelivery(delivery.deliveryId, { queue: "creative-packs-deliveries-dead" })).toBe(
      "acknowledged",
    );
    const { deliveryId } = delivery;
    expect(logged.mock.calls).toContainEqual([{ event: "dead_delivery_pending", deliveryId }]);
    expect(await readDelivery(sender, deliveryId)).toMatchObject({ status: "queued", attempts: 0 });
    const bodies = queue.mock.calls.flatMap(([messages]) => [...messages].map(({ body }) => body));
    expect(bodies).toContainEqual({ deliveryId });
    await consumeDelivery(deliveryId);
    expect(await readDelivery(sender, deliveryId)).toMatchObject({ status: "succeeded", attempts: 1 });
  });

  it("a delivery whose attempts all crash ends after the last attempt", async () => {
    const { sender, delivery } = await begun();
    await execute`UPDATE deliveries SET attempts = ${DELIVERY_ATTEMPTS_MAX}, status = 'running'
      WHERE delivery_id = ${delivery.deliveryId}`;
    await consumeDelivery(delivery.deliveryId);
    expect(await readDelivery(sender, delivery.deliveryId)).toMatchObject({ status: "dead" });
  });
});

it("repeating a request returns the open delivery; after a queue outage the sweep sends its message", async () => {
  const { queue, sender, delivery } = await begun();
  const again = await started(sender, webhookOfRun());
  expect(again).toMatchObject({ deliveryId: delivery.deliveryId, signingSecret: null });
  queue.mockRestore();
  const sent = recordMessages(env.DELIVERY_QUEUE);
  await runSweeps(readCapabilities(env), clock.now() + 1_000);
  const { deliveryId } = delivery;
  expect(sent()).toContainEqual({ deliveryId });
  const sentBefore = sent().length;
  await runSweeps(readCapabilities(env), clock.now() + 2_000);
  expect(sent().slice(sentBefore)).not.toContainEqual({ deliveryId });
});
