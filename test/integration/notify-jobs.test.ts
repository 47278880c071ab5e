import { env } from "cloudflare:workers";
import { afterAll, describe, expect, it } from "vitest";
import { jobMessageSchema } from "#api/schemas/webhook-message.ts";
import { failJob, RENDERING_FAILED } from "#domains/jobs/end-job.ts";
import { clock } from "#platform/clock.ts";
import { callAs } from "../support/accounts.ts";
import { execute } from "../support/database.ts";
import {
  clientWithOwner,
  closeDeliveries,
  consumeDelivery,
  HOOK_URL,
  inWorkspace,
  listDeliveries,
  STORE_BODY,
  saved,
  standIn,
  verified,
} from "../support/deliveries.ts";
import {
  acceptedJob,
  cancel,
  deliver,
  packOf,
  postJob,
  readJob,
  workspaceWithLogo,
} from "../support/jobs.ts";
import { balanceOf } from "../support/refusals.ts";

afterAll(closeDeliveries);

/** A workspace with a webhook without events. */
async function withWebhook(events: readonly string[] = []) {
  const { client, ...sender } = await clientWithOwner({ credits: 20 });
  const receivers = standIn();
  const webhook = await saved(sender, { kind: "webhook", url: HOOK_URL, events });
  const notify = { destinationId: webhook.destination.destinationId };
  return { client, sender, receivers, notify, ...webhook };
}

const toldOf = async (sender: Parameters<typeof listDeliveries>[0]) =>
  (await listDeliveries(sender)).items.map(({ eventType, jobId }) => [eventType, jobId]);

describe("API §4.48 POST /jobs with notify", () => {
  it("sends one signed message when the job has succeeded, failed or been canceled, and none for other jobs", async () => {
    const { client, sender, receivers, notify, signingSecret } = await withWebhook();
    const [succeeded, failed, canceled] = [
      await acceptedJob(client, { notify }),
      await acceptedJob(client, { notify }),
      await acceptedJob(client, { notify }),
    ];
    expect(succeeded.notify).toEqual(notify);
    await deliver({ jobId: succeeded.jobId, part: 0 });
    await deliver({ jobId: succeeded.jobId, part: 0 });
    await failJob(env.DB, failed.jobId, RENDERING_FAILED, clock.now(), {});
    await cancel(client.secret, canceled.jobId);
    await cancel(client.secret, (await acceptedJob(client)).jobId);
    expect(await toldOf(sender)).toEqual([
      ["job.canceled", canceled.jobId],
      ["job.failed", failed.jobId],
      ["job.succeeded", succeeded.jobId],
    ]);
    for (const { deliveryId } of (await listDeliveries(sender)).items) await consumeDelivery(deliveryId);
    for (const { body } of verified(receivers, signingSecret)) {
      expect(jobMessageSchema.parse(body)).toEqual(body);
      expect(body.data.job).toEqual(await readJob(client.secret, body.data.job.jobId));
    }
    expect(receivers.messages).toHaveLength(3);
  });

  it("sends one message even to a webhook that also subscribes to the event", async () => {
    const { client, sender, notify } = await withWebhook(["job.canceled"]);
    const { jobId } = await acceptedJob(client, { notify });
    await cancel(client.secret, jobId);
    expect(await toldOf(sender)).toEqual([["job.canceled", jobId]]);
  });

  it("is part of the idempotent request, but not of the pack's fingerprint", async () => {
    const { client, notify } = await withWebhook();
    const first = await postJob(client.secret, packOf(client, { notify }), "job");
    const again = await postJob(client.secret, packOf(client, { notify }), "job");
    const without = await postJob(client.secret, packOf(client), "job");
    expect([first.status, again.status, without.status]).toEqual([202, 200, 409]);
    const plain = await acceptedJob(client);
    expect(plain).toMatchObject({ notify: null, renderFingerprint: first.body.data.renderFingerprint });
  });

  it("does not affect the job if the webhook is removed or stopped meanwhile; nothing is sent", async () => {
    const { client, sender, notify } = await withWebhook();
    const [one, other] = [await acceptedJob(client, { notify }), await acceptedJob(client, { notify })];
    await execute`UPDATE destinations SET disabled_at = 1 WHERE destination_id = ${notify.destinationId}`;
    expect((await cancel(client.secret, one.jobId)).status).toBe(200);
    const path = inWorkspace(sender, `destinations/${notify.destinationId}`);
    expect((await callAs(sender.account, "DELETE", path)).status).toBe(200);
    await deliver({ jobId: other.jobId, part: 0 });
    expect((await readJob(client.secret, other.jobId)).status).toBe("succeeded");
    expect(await toldOf(sender)).toEqual([]);
  });

  it("is refused before payment if the destination is unknown, foreign, a store, disabled or paused, or the scope is missing", async () => {
    const { client, sender, notify } = await withWebhook();
    const stranger = await withWebhook();
    const { destination: store } = await saved(sender, STORE_BODY);
    const before = await balanceOf(client.workspaceId);
    const refused = async (body: unknown, secret = client.secret) => {
      const answer = await postJob(secret, packOf(client, { notify: body }));
      return [answer.status, answer.body.error.code];
    };
    expect(await refused({ destinationId: crypto.randomUUID() })).toEqual([422, "DESTINATION_UNKNOWN"]);
    expect(await refused(stranger.notify)).toEqual([422, "DESTINATION_UNKNOWN"]);
    expect(await refused({ destinationId: store.destinationId })).toEqual([422, "DESTINATION_UNSUPPORTED"]);
    expect(await refused({ destinationId: "hook" })).toEqual([400, "INVALID_REQUEST"]);
    expect(await refused({})).toEqual([400, "INVALID_REQUEST"]);
    const stop = (code: string) =>
      execute`UPDATE destinations SET disabled_at = 1, disabled_code = ${code} WHERE destination_id = ${notify.destinationId}`;
    await stop("RECEIVER_GONE");
    expect(await refused(notify)).toEqual([409, "DESTINATION_DISABLED"]);
    await stop("CREATOR_REMOVED");
    expect(await refused(notify)).toEqual([409, "DESTINATION_PAUSED"]);
    const poor = await workspaceWithLogo({ credits: 5, scopes: ["jobs:write", "assets:write"] });
    expect(await refused(notify, poor.secret)).toEqual([403, "SCOPE_MISSING"]);
    expect(await balanceOf(client.workspaceId)).toBe(before);
  });
});
