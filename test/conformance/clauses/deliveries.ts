import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { S3Store } from "../../../scripts/run/receivers/s3-store.ts";
import { type LocalServer, serve } from "../../../scripts/run/receivers/serve.ts";
import {
  type ReceivedMessage,
  readMessage,
  verifyMessage,
} from "../../../scripts/run/receivers/webhook-receiver.ts";
import { change, seedKey } from "../support/arrange.ts";
import { expectRateLimitHeaders, send } from "../support/client.ts";
import type { Harness } from "../support/harness.ts";
import { seedPerson, sendAs } from "../support/people.ts";
import { type Sender, senderOf } from "../support/sender.ts";

const STORE = {
  region: "eu-central-1",
  bucket: "contract-packs",
  accessKeyId: "CONTRACTKEY",
  secretAccessKey: "contract-secret-access-key",
};

/** Deliveries from the built worker to real local servers. */
export const deliveries = (harness: Harness): void => {
  const { service } = harness;
  describe("API §12.1 deliveries", () => {
    const messages: ReceivedMessage[] = [];
    const store = new S3Store(STORE);
    let hook: LocalServer;
    let storeServer: LocalServer;
    let hookStatus = 204;
    let sender: Sender;

    beforeAll(async () => {
      hook = await serve(async (request) => {
        messages.push(await readMessage(request));
        return new Response(null, { status: hookStatus });
      });
      storeServer = await serve((request) => store.handle(request));
      sender = await senderOf(harness, ["iab-300x50"]);
    });
    afterAll(async () => {
      await hook.close();
      await storeServer.close();
    });

    const webhook = (name: string) => ({ kind: "webhook", url: `${hook.origin}/${name}` });

    it("API §6.2, §12.1 POST …/destinations 202: a webhook gets a signed message, and its secret is shown once", async () => {
      const begun = await sender.sendOut(webhook("signed"));
      expect(begun.status).toBe(202);
      expectRateLimitHeaders(begun);
      const { deliveryId, destinationId, signingSecret } = begun.body.data;
      expect(begun.headers.get("Location")).toBe(sender.path(`deliveries/${deliveryId}`));
      expect((await sender.ended(deliveryId)).body.data).toMatchObject({
        status: "succeeded",
        failure: null,
      });
      const message = messages.find(({ id }) => id === deliveryId);
      if (message === undefined) throw new Error("no message came");
      const { body } = verifyMessage(signingSecret, message);
      expect(body).toMatchObject({
        type: "artifact.delivery",
        data: { artifact: { artifactId: sender.artifactId } },
      });
      const link = new URL(body.data.download.url);
      expect((await send(service, "GET", link.pathname)).status).toBe(200);
      const again = await sender.sendOut({ destinationId });
      expect([again.status, again.body.data.signingSecret]).toEqual([202, null]);
      await sender.ended(again.body.data.deliveryId);
    });

    it("API §12.9 POST …/destinations 202: a store gets every file and the manifest", async () => {
      const begun = await sender.sendOut({ kind: "s3", endpoint: storeServer.origin, prefix: "p", ...STORE });
      const { data } = (await sender.ended(begun.body.data.deliveryId)).body;
      expect(data).toMatchObject({ status: "succeeded", progress: { total: 2, completed: 2 } });
      expect([...store.objects.keys()]).toEqual([
        `p/${sender.artifactId}/iab-300x50.png`,
        `p/${sender.artifactId}/manifest.json`,
      ]);
    });

    it("API §12.7, §12.8 a receiver's 410 disables its webhook: sends and retries are 409 until it is enabled", async () => {
      hookStatus = 410;
      const begun = await sender.sendOut(webhook("gone"));
      const { deliveryId, destinationId } = begun.body.data;
      expect((await sender.ended(deliveryId)).body.data).toMatchObject({ status: "dead" });
      hookStatus = 204;
      const dead = await sender.ask("GET", "deliveries?status=dead&limit=1");
      expect(dead.status).toBe(200);
      expectRateLimitHeaders(dead);
      expect(dead.body.data.items).toMatchObject([{ deliveryId }]);
      const refused = [
        await sender.sendOut({ destinationId }),
        await sender.ask("POST", `deliveries/${deliveryId}/retry`),
      ];
      expect(refused.map(({ status, body }) => [status, body.error.code])).toEqual([
        [409, "DESTINATION_DISABLED"],
        [409, "DESTINATION_DISABLED"],
      ]);
      const enabled = await sender.ask("POST", `destinations/${destinationId}/enable`);
      expect([enabled.status, enabled.body.data.status]).toEqual([200, "active"]);
      const retried = await sender.ask("POST", `deliveries/${deliveryId}/retry`);
      expect([retried.status, retried.body.data.status]).toEqual([202, "queued"]);
      expect((await sender.ended(deliveryId)).body.data.status).toBe("succeeded");
    });

    it("API §12.2 destinations are saved (201, 200), listed, rotated (200, 409) and removed", async () => {
      const body = { ...webhook("events"), events: ["job.canceled", "balance.low"], lowBalanceBelow: 5 };
      const created = await sender.ask("POST", "destinations", body);
      expect(created.status).toBe(201);
      expect(created.body.data.signingSecret).toMatch(/^whsec_/);
      const { destinationId } = created.body.data.destination;
      const repeated = await sender.ask("POST", "destinations", body);
      expect([repeated.status, repeated.body.data.signingSecret]).toEqual([200, null]);
      const listed = await sender.ask("GET", "destinations");
      expect(listed.status).toBe(200);
      expect(listed.body.data.items).toContainEqual(created.body.data.destination);
      const statuses = [];
      for (let rotation = 0; rotation < 5; rotation += 1) {
        statuses.push((await sender.ask("POST", `destinations/${destinationId}/rotate-secret`)).status);
      }
      expect(statuses).toEqual([200, 200, 200, 200, 409]);
      const removed = await sender.ask("DELETE", `destinations/${destinationId}`);
      expect([removed.status, removed.body.data.destinationId]).toEqual([200, destinationId]);
    });

    it("API §6.8 a test message is signed and delivered (202); 422 for a store, 409 for a disabled webhook", async () => {
      const saved = (await sender.ask("POST", "destinations", webhook("tried"))).body.data;
      const { destinationId } = saved.destination;
      const begun = await sender.ask("POST", `destinations/${destinationId}/test`);
      expect([begun.status, begun.body.data.eventType]).toEqual([202, "webhook.test"]);
      expectRateLimitHeaders(begun);
      const { deliveryId } = begun.body.data;
      expect((await sender.ended(deliveryId)).body.data.status).toBe("succeeded");
      const message = messages.find(({ id }) => id === deliveryId);
      if (message === undefined) throw new Error("no message came");
      const { body } = verifyMessage(saved.signingSecret, message);
      expect(body).toMatchObject({ type: "webhook.test", data: { deliveryId } });
      const stored = { kind: "s3", endpoint: storeServer.origin, prefix: "tried", ...STORE };
      const store = (await sender.ask("POST", "destinations", stored)).body.data.destination;
      const ofStore = await sender.ask("POST", `destinations/${store.destinationId}/test`);
      expect([ofStore.status, ofStore.body.error.code]).toEqual([422, "DESTINATION_UNSUPPORTED"]);
      hookStatus = 410;
      await sender.ended(
        (await sender.ask("POST", `destinations/${destinationId}/test`)).body.data.deliveryId,
      );
      hookStatus = 204;
      expect((await sender.ask("POST", `destinations/${destinationId}/test`)).status).toBe(409);
      await sender.ask("POST", `destinations/${destinationId}/enable`);
      await sender.ended(
        (await sender.ask("POST", `destinations/${destinationId}/test`)).body.data.deliveryId,
      );
    });

    it("API §12.2 409: too many destinations", async () => {
      const full = await seedPerson(service);
      await change(
        service,
        `INSERT INTO destinations (destination_id, workspace_id, kind, identity, settings, sealed, events, created_at)
         WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50)
         SELECT 'seeded-' || ?1 || i, ?1, 'webhook', i, '{}', '', '[]', i FROM n`,
        full.workspaceId,
      );
      const destinations = `/api/account/workspaces/${full.workspaceId}/destinations`;
      const refused = await sendAs(service, full, "POST", destinations, { json: webhook("more") });
      const { key } = await seedKey(service, full.workspaceId, {});
      const byKey = await send(service, "POST", "/api/v1/destinations", { key, json: webhook("more") });
      for (const { status, body } of [refused, byKey]) {
        expect([status, body.error.code]).toEqual([409, "DESTINATION_LIMIT_REACHED"]);
      }
    });

    it("API §12.3 422: addresses that the guard refuses, without quoting them", async () => {
      for (const url of ["https://192.168.1.1/secret-path", "https://metadata.google.internal/secret-path"]) {
        for (const answer of [
          await sender.sendOut({ kind: "webhook", url }),
          await sender.ask("POST", "destinations", { kind: "webhook", url }),
        ]) {
          expect([answer.status, answer.body.error.code]).toEqual([422, "ADDRESS_REFUSED"]);
          expect(JSON.stringify(answer.body)).not.toContain("secret-path");
        }
      }
    });

    it("API §1.3 404: foreign and missing resources look the same", async () => {
      const id = randomUUID();
      const foreign = harness.stranger.workspaceId;
      for (const workspaceId of [id, foreign]) {
        for (const [method, rest, json] of [
          ["POST", "destinations", webhook("foreign")],
          ["GET", "destinations"],
          ["GET", "deliveries"],
        ] as const) {
          const answer = await sendAs(
            service,
            sender.person,
            method,
            `/api/account/workspaces/${workspaceId}/${rest}`,
            json === undefined ? {} : { json },
          );
          expect([answer.status, answer.body.error.code]).toEqual([404, "WORKSPACE_NOT_FOUND"]);
        }
      }
      const missing = [
        await sender.ask("GET", `deliveries/${id}`),
        await sender.ask("POST", `deliveries/${id}/retry`),
        await sender.ask("DELETE", `destinations/${id}`),
        await sender.ask("POST", `destinations/${id}/enable`),
        await sender.ask("POST", `destinations/${id}/test`),
        await sender.ask("POST", `destinations/${id}/rotate-secret`),
        await sender.sendOut({ destinationId: id }),
        await sender.sendOut(webhook("foreign"), id),
      ];
      expect(missing.map(({ status }) => status)).toEqual(missing.map(() => 404));
      const delivered = (await sender.ask("GET", "deliveries?limit=1")).body.data.items[0];
      const closed = await sender.ask("POST", `deliveries/${delivered.deliveryId}/retry`);
      expect([closed.status, closed.body.error.code]).toEqual([409, "DELIVERY_NOT_RETRYABLE"]);
    });

    it("API §12.12 a key with destinations:write has the same access as a session", async () => {
      const as = (method: string, path: string, json?: unknown) =>
        send(service, method, `/api/v1/${path}`, {
          key: harness.rich.key,
          ...(json === undefined ? {} : { json }),
        });
      const statusesOf = async (calls: readonly (readonly [string, string, unknown?])[]) => {
        const statuses = [];
        for (const [method, path, json] of calls) statuses.push((await as(method, path, json)).status);
        return statuses;
      };
      const created = await as("POST", "destinations", webhook("by-key"));
      expect(created.status).toBe(201);
      const one = `destinations/${created.body.data.destination.destinationId}`;
      const out = `artifacts/${sender.artifactId}/destinations`;
      const refused = { kind: "webhook", url: "https://192.168.1.1/x" };
      const calls = [
        ["POST", "destinations", webhook("by-key")],
        ["POST", "destinations", refused],
        ["GET", one],
        ["PATCH", one, { events: ["job.failed"] }],
        ["POST", `${one}/enable`],
        ["POST", out, refused],
      ] as const;
      expect(await statusesOf(calls)).toEqual([200, 422, 200, 200, 200, 422]);
      const tested = await as("POST", `${one}/test`);
      expect(tested.status).toBe(202);
      await sender.ended(tested.body.data.deliveryId);
      expect((await as("GET", `deliveries/${tested.body.data.deliveryId}`)).status).toBe(200);
      hookStatus = 410;
      const begun = await as("POST", out, { destinationId: created.body.data.destination.destinationId });
      expect(begun.status).toBe(202);
      const { deliveryId } = begun.body.data;
      await sender.ended(deliveryId);
      hookStatus = 204;
      const gone = [
        ["POST", `${one}/test`],
        ["POST", `deliveries/${deliveryId}/retry`],
        ["POST", out, { destinationId: created.body.data.destination.destinationId }],
        ["POST", `${one}/enable`],
        ["POST", `deliveries/${deliveryId}/retry`],
      ] as const;
      expect(await statusesOf(gone)).toEqual([409, 409, 409, 200, 202]);
      await sender.ended(deliveryId);
      const rotations = Array.from({ length: 5 }, () => ["POST", `${one}/rotate-secret`] as const);
      expect(await statusesOf(rotations)).toEqual([200, 200, 200, 200, 409]);
      expect(await statusesOf([["DELETE", one]])).toEqual([200]);
      const own = await sender.ask("POST", "destinations", webhook("of-person"));
      const ofPerson = `destinations/${own.body.data.destination.destinationId}`;
      expect((await sender.ask("GET", ofPerson)).status).toBe(200);
      expect((await sender.ask("PATCH", ofPerson, { events: [] })).status).toBe(200);
      const store = { kind: "s3", endpoint: storeServer.origin, prefix: "by-key", ...STORE };
      const stored = (await as("POST", "destinations", store)).body.data.destination.destinationId;
      expect(await statusesOf([["POST", `destinations/${stored}/test`]])).toEqual([422]);
    });
  });
};
