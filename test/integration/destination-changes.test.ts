import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { causeOfService } from "#domains/audit/audit-store.ts";
import { destinationById } from "#domains/deliveries/destination-store.ts";
import { saveDestination } from "#domains/deliveries/save-destination.ts";
import { readCapabilities } from "#platform/bindings/capabilities.ts";
import { clock } from "#platform/clock.ts";
import { seal, unseal } from "#platform/crypto/sealed-secret.ts";
import { callAs } from "../support/accounts.ts";
import { execute } from "../support/database.ts";
import {
  consumeDelivery,
  HOOK_URL,
  holdDeliveries,
  inWorkspace,
  readDelivery,
  retryDelivery,
  type Sender,
  STORE_BODY,
  saved,
  senderWithPack,
  standIn,
  started,
  verified,
} from "../support/deliveries.ts";
import { refusalOf } from "../support/refusals.ts";

holdDeliveries();
let sender: Sender;
beforeAll(async () => {
  sender = await senderWithPack();
});

const remove = (destinationId: string) =>
  callAs(sender.account, "DELETE", inWorkspace(sender, `destinations/${destinationId}`));

describe("removal", () => {
  it("while a pack is sent: no further file and no manifest is stored", async () => {
    const receivers = standIn();
    const delivery = await started(sender, { ...STORE_BODY, prefix: "removed" });
    const handle = receivers.store.handle.bind(receivers.store);
    vi.spyOn(receivers.store, "handle").mockImplementation(async (request) => {
      const answered = await handle(request);
      if (request.method === "HEAD") await remove(delivery.destinationId);
      return answered;
    });
    expect(await consumeDelivery(delivery.deliveryId)).toBe("acknowledged");
    expect(receivers.store.order).toHaveLength(1);
    expect(await readDelivery(sender, delivery.deliveryId)).toMatchObject({
      status: "dead",
      nextAttemptAt: null,
      failure: { code: "DESTINATION_UNAVAILABLE" },
    });
  });

  it("while a delivery waits for its next attempt: it fails at once", async () => {
    const receivers = standIn();
    const delivery = await started(sender, { kind: "webhook", url: `${HOOK_URL}&waiting=1` });
    receivers.answers.push(new Response(null, { status: 503 }));
    await consumeDelivery(delivery.deliveryId);
    await remove(delivery.destinationId);
    const { status, failure, finishedAt } = await readDelivery(sender, delivery.deliveryId);
    expect([status, failure?.code, finishedAt === null]).toEqual(["dead", "DESTINATION_UNAVAILABLE", false]);
  });
});

describe("saving again", () => {
  it("keeps a store's new secret, even if its row is re-encrypted meanwhile", async () => {
    const { destination } = await saved(sender, { ...STORE_BODY, prefix: "raced" });
    const { deliveries } = readCapabilities(env);
    if (deliveries === null) throw new Error("the test origin sends");
    const { encryption, addressRules } = deliveries;
    const row = { workspaceId: sender.workspaceId, destinationId: destination.destinationId };
    const resealed = await seal(
      encryption,
      row,
      JSON.stringify({ secretAccessKey: STORE_BODY.secretAccessKey }),
    );
    // The sweep re-encrypts the row after the request has read it and before the request's batch, which begins with
    // guards.
    const guards = [
      env.DB.prepare("UPDATE destinations SET sealed = ?2 WHERE destination_id = ?1").bind(
        row.destinationId,
        resealed,
      ),
    ];
    const actor = { createdBy: sender.account.accountId, isOwner: true };
    const cause = causeOfService("system", clock.now());
    const deps = { db: env.DB, encryption, addressRules, nowMs: clock.now(), actor, cause, guards };
    const body = { ...STORE_BODY, kind: "s3" as const, prefix: "raced", secretAccessKey: "the-new-secret" };
    expect((await saveDestination(deps, sender.workspaceId, body)).ok).toBe(true);
    const after = await destinationById.first(env.DB, row);
    expect(await unseal(encryption, row, after?.sealed ?? "")).toContain("the-new-secret");
  });

  it("creates new secrets for a webhook whose secrets are unreadable, as the failures of its deliveries advise", async () => {
    const receivers = standIn();
    const body = { kind: "webhook", url: `${HOOK_URL}&unreadable=1` };
    const { destination } = await saved(sender, body);
    const { destinationId } = destination;
    await execute`UPDATE destinations SET sealed = replace(sealed, 'v1.', 'v1.0')
      WHERE destination_id = ${destinationId}`;
    const dead = await started(sender, { destinationId });
    await consumeDelivery(dead.deliveryId);
    const { failure } = await readDelivery(sender, dead.deliveryId);
    expect(failure?.message).toContain("save it again");
    const path = inWorkspace(sender, `destinations/${destinationId}/rotate-secret`);
    expect(refusalOf(await callAs(sender.account, "POST", path))).toEqual([409, "DESTINATION_DISABLED"]);

    const again = await saved(sender, body);
    expect(again.destination.destinationId).toBe(destinationId);
    expect(again.signingSecret).toMatch(/^whsec_/);
    const { deliveryId } = await started(sender, { destinationId });
    expect(await consumeDelivery(deliveryId)).toBe("acknowledged");
    expect(verified(receivers, again.signingSecret).map(({ id }) => id)).toEqual([deliveryId]);
    // If the secrets are readable, saving again neither shows nor changes them.
    expect((await saved(sender, body)).signingSecret).toBe("null");
  });
});

it("a manual retry is refused while a newer delivery is open, and changes nothing", async () => {
  const receivers = standIn();
  const older = await started(sender, { ...STORE_BODY, prefix: "older" });
  let puts = 0;
  receivers.interceptStore = ({ method }) => {
    if (method === "PUT") puts += 1;
    return puts === 2 ? new Response(null, { status: 403 }) : null;
  };
  await consumeDelivery(older.deliveryId);
  const dead = await readDelivery(sender, older.deliveryId);
  expect(dead).toMatchObject({ status: "dead", progress: { completed: 1 } });
  await started(sender, { destinationId: older.destinationId });
  expect(refusalOf(await retryDelivery(sender, older.deliveryId))).toEqual([409, "DELIVERY_NOT_RETRYABLE"]);
  expect(await readDelivery(sender, older.deliveryId)).toEqual(dead);
});
