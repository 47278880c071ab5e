import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { S3Store } from "../../../scripts/receivers/s3-store.ts";
import { type LocalServer, serve } from "../../../scripts/receivers/serve.ts";
import {
  type ReceivedMessage,
  readMessage,
  verifyMessage,
} from "../../../scripts/receivers/webhook-receiver.ts";
import { type Answer, expectRateLimitHeaders, send } from "../support/client.ts";
import { finishJob, uploadLogo } from "../support/flow.ts";
import { type Person, seedPerson, sendAs } from "../support/people.ts";
import type { Stage } from "../support/stage.ts";

const STORE = {
  region: "eu-central-1",
  bucket: "contract-packs",
  accessKeyId: "CONTRACTKEY",
  secretAccessKey: "contract-secret-access-key",
};

const POLLS_MAX = 300;

/** Sending artifacts out: from the built worker to real servers on this machine. */
export const deliveries = (stage: Stage): void => {
  describe("§1 deliveries", () => {
    const messages: ReceivedMessage[] = [];
    const store = new S3Store(STORE);
    let hook: LocalServer;
    let storeServer: LocalServer;
    let hookStatus = 204;
    let person: Person;
    let artifactId: string;

    beforeAll(async () => {
      hook = await serve(async (request) => {
        messages.push(await readMessage(request));
        return new Response(null, { status: hookStatus });
      });
      storeServer = await serve((request) => store.handle(request));
      person = await seedPerson(stage.service);
      await stage.service.db
        .prepare(
          "INSERT INTO workspace_members (workspace_id, account_id, role, created_at) VALUES (?, ?, 'owner', 1)",
        )
        .bind(stage.rich.workspaceId, person.accountId)
        .run();
      const { key } = stage.rich;
      const job = await finishJob(stage.service, key, {
        contractId: "display.v1",
        selectedSizeIds: ["iab-300x50"],
        assetIds: { logo: await uploadLogo(stage.service, key) },
      });
      artifactId = job.body.data.artifactId;
    });
    afterAll(async () => {
      await hook.close();
      await storeServer.close();
    });

    const path = (rest: string) => `/api/account/workspaces/${stage.rich.workspaceId}/${rest}`;
    const ask = (method: string, rest: string, json?: unknown) =>
      sendAs(stage.service, person, method, path(rest), json === undefined ? {} : { json });
    const sendOut = (json: unknown, id = artifactId) =>
      sendAs(stage.service, person, "POST", `/api/account/artifacts/${id}/destinations`, { json });
    const webhook = (name: string) => ({ kind: "webhook", url: `${hook.origin}/${name}` });

    async function ended(deliveryId: string): Promise<Answer> {
      for (let poll = 0; poll < POLLS_MAX; poll += 1) {
        const answer = await ask("GET", `deliveries/${deliveryId}`);
        expect(answer.status).toBe(200);
        if (answer.body.data.finishedAt !== null) return answer;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      throw new Error(`delivery ${deliveryId} did not end`);
    }

    it("POST …/destinations 202: to a webhook, signed; the secret is shown once", async () => {
      const begun = await sendOut(webhook("signed"));
      expect(begun.status).toBe(202);
      expectRateLimitHeaders(begun);
      const { deliveryId, destinationId, signingSecret } = begun.body.data;
      expect(begun.headers.get("Location")).toBe(path(`deliveries/${deliveryId}`));
      expect((await ended(deliveryId)).body.data).toMatchObject({ status: "succeeded", failure: null });
      const message = messages.find(({ id }) => id === deliveryId);
      if (message === undefined) throw new Error("no message came");
      const { body } = verifyMessage(signingSecret, message);
      expect(body).toMatchObject({ type: "artifact.delivery", data: { artifact: { artifactId } } });
      const link = new URL(body.data.download.url);
      expect((await send(stage.service, "GET", link.pathname)).status).toBe(200);
      const again = await sendOut({ destinationId });
      expect([again.status, again.body.data.signingSecret]).toEqual([202, null]);
      await ended(again.body.data.deliveryId);
    });

    it("POST …/destinations 202: to a store, every file and the manifest", async () => {
      const begun = await sendOut({ kind: "s3", endpoint: storeServer.origin, prefix: "p", ...STORE });
      const { data } = (await ended(begun.body.data.deliveryId)).body;
      expect(data).toMatchObject({ status: "succeeded", progress: { total: 2, completed: 2 } });
      expect([...store.objects.keys()]).toEqual([
        `p/${artifactId}/iab-300x50.png`,
        `p/${artifactId}/manifest.json`,
      ]);
    });

    it("410 disables, 409 while disabled, enabled again by hand; a dead delivery is listed and tried again", async () => {
      hookStatus = 410;
      const begun = await sendOut(webhook("gone"));
      const { deliveryId, destinationId } = begun.body.data;
      expect((await ended(deliveryId)).body.data).toMatchObject({ status: "dead" });
      hookStatus = 204;
      const dead = await ask("GET", "deliveries?status=dead&limit=1");
      expect(dead.status).toBe(200);
      expectRateLimitHeaders(dead);
      expect(dead.body.data.items).toMatchObject([{ deliveryId }]);
      const refused = [await sendOut({ destinationId }), await ask("POST", `deliveries/${deliveryId}/retry`)];
      expect(refused.map(({ status, body }) => [status, body.error.code])).toEqual([
        [409, "DESTINATION_DISABLED"],
        [409, "DESTINATION_DISABLED"],
      ]);
      const enabled = await ask("POST", `destinations/${destinationId}/enable`);
      expect([enabled.status, enabled.body.data.status]).toEqual([200, "active"]);
      const retried = await ask("POST", `deliveries/${deliveryId}/retry`);
      expect([retried.status, retried.body.data.status]).toEqual([202, "queued"]);
      expect((await ended(deliveryId)).body.data.status).toBe("succeeded");
    });

    it("destinations are saved (201, 200), listed, rotated (200, 409) and removed", async () => {
      const body = { ...webhook("events"), events: ["job.canceled", "balance.low"], lowBalanceBelow: 5 };
      const created = await ask("POST", "destinations", body);
      expect(created.status).toBe(201);
      expect(created.body.data.signingSecret).toMatch(/^whsec_/);
      const { destinationId } = created.body.data.destination;
      const repeated = await ask("POST", "destinations", body);
      expect([repeated.status, repeated.body.data.signingSecret]).toEqual([200, null]);
      const listed = await ask("GET", "destinations");
      expect(listed.status).toBe(200);
      expect(listed.body.data.items).toContainEqual(created.body.data.destination);
      const statuses = [];
      for (let rotation = 0; rotation < 5; rotation += 1) {
        statuses.push((await ask("POST", `destinations/${destinationId}/rotate-secret`)).status);
      }
      expect(statuses).toEqual([200, 200, 200, 200, 409]);
      const removed = await ask("DELETE", `destinations/${destinationId}`);
      expect([removed.status, removed.body.data.destinationId]).toEqual([200, destinationId]);
    });

    it("409: more destinations than a workspace may have", async () => {
      const full = await seedPerson(stage.service);
      await stage.service.db
        .prepare(
          `INSERT INTO destinations (destination_id, workspace_id, kind, identity, settings, sealed, events, created_at)
           WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50)
           SELECT 'seeded-' || ?1 || i, ?1, 'webhook', i, '{}', '', '[]', i FROM n`,
        )
        .bind(full.workspaceId)
        .run();
      const destinations = `/api/account/workspaces/${full.workspaceId}/destinations`;
      const refused = await sendAs(stage.service, full, "POST", destinations, { json: webhook("more") });
      expect([refused.status, refused.body.error.code]).toEqual([409, "DESTINATION_LIMIT_REACHED"]);
    });

    it("422: addresses that the guard refuses, without telling the address back", async () => {
      for (const url of ["https://192.168.1.1/secret-path", "https://metadata.google.internal/secret-path"]) {
        for (const answer of [
          await sendOut({ kind: "webhook", url }),
          await ask("POST", "destinations", { kind: "webhook", url }),
        ]) {
          expect([answer.status, answer.body.error.code]).toEqual([422, "ADDRESS_REFUSED"]);
          expect(JSON.stringify(answer.body)).not.toContain("secret-path");
        }
      }
    });

    it("404: what is foreign reads like what is missing", async () => {
      const id = randomUUID();
      const foreign = stage.stranger.workspaceId;
      for (const workspaceId of [id, foreign]) {
        for (const [method, rest, json] of [
          ["POST", "destinations", webhook("foreign")],
          ["GET", "destinations"],
          ["GET", "deliveries"],
        ] as const) {
          const answer = await sendAs(
            stage.service,
            person,
            method,
            `/api/account/workspaces/${workspaceId}/${rest}`,
            json === undefined ? {} : { json },
          );
          expect([answer.status, answer.body.error.code]).toEqual([404, "WORKSPACE_NOT_FOUND"]);
        }
      }
      const missing = [
        await ask("GET", `deliveries/${id}`),
        await ask("POST", `deliveries/${id}/retry`),
        await ask("DELETE", `destinations/${id}`),
        await ask("POST", `destinations/${id}/enable`),
        await ask("POST", `destinations/${id}/rotate-secret`),
        await sendOut({ destinationId: id }),
        await sendOut(webhook("foreign"), id),
      ];
      expect(missing.map(({ status }) => status)).toEqual(missing.map(() => 404));
      const delivered = (await ask("GET", "deliveries?limit=1")).body.data.items[0];
      const closed = await ask("POST", `deliveries/${delivered.deliveryId}/retry`);
      expect([closed.status, closed.body.error.code]).toEqual([409, "DELIVERY_NOT_RETRYABLE"]);
    });
  });
};
