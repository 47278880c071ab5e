import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { firstDatabase } from "../support/first-database.ts";
import { seedWorkspace } from "./support/arrange.ts";
import { send } from "./support/client.ts";
import { finishJob, uploadLogo } from "./support/flow.ts";
import { type Service, startService } from "./support/service.ts";

/**
 * Guarantee: with shards bound, a workspace works from end to end on its shard: keys, uploads, drawing by the queue, links
 * and shares. `SHARDS=4 npm run test:conformance` holds all of the API reference to the same.
 */

let service: Service;
beforeAll(async () => {
  service = await startService({ shards: 4 });
});
afterAll(() => service.stop());

const homesOf = async (workspaceId: string): Promise<readonly string[]> => {
  const found = await Promise.all(
    service.databases.map(async ({ home, db }) => {
      const jobs = "select count(*) as count from jobs where workspace_id = ?";
      return (await db.prepare(jobs).bind(workspaceId).first<number>("count")) === 0 ? [] : [home];
    }),
  );
  return found.flat();
};

describe("a worker with four shards", () => {
  it("draws the packs of workspaces on different shards, and opens their links", async () => {
    for (const home of ["00", "01"]) {
      const { workspaceId, key } = await seedWorkspace(service, { credits: 5 });
      const { artifactId } = await finishJob(service, key, {
        contractId: "display.v1",
        selectedSizeIds: ["iab-320x50"],
        assetIds: { logo: await uploadLogo(service, key) },
      });
      expect(await homesOf(workspaceId)).toEqual([home]);
      const links = await send(service, "GET", `/api/v1/artifacts/${artifactId}/download`, { key });
      const file = await fetch(links.body.data.url);
      expect([file.status, (await file.arrayBuffer()).byteLength > 0]).toEqual([200, true]);
      const shared = await send(service, "POST", `/api/v1/artifacts/${artifactId}/shares`, { key, json: {} });
      const token = shared.body.data.url.split("/").at(-1);
      expect((await send(service, "GET", `/api/v1/shared/${token}`)).status).toBe(200);
      const said = { name: "Ada", text: "Good", verdict: "approved" };
      const comment = await send(service, "POST", `/api/v1/shared/${token}/comments`, { json: said });
      expect(comment.status).toBe(201);
    }
  });

  it("sweeps its shards", async () => {
    const { workspaceId, key } = await seedWorkspace(service, { credits: 5 });
    const db = firstDatabase(service.databases.map((database) => database.db));
    await db
      .prepare(
        `insert into idempotency_keys (workspace_id, idempotency_key, operation, request_hash, resource_id, created_at, expires_at)
         select workspace_id, 'old', 'x', 'x', 'x', 1, 1 from api_keys where workspace_id = ?`,
      )
      .bind(workspaceId)
      .run();
    const left = () => db.prepare("select 1 from idempotency_keys where expires_at = 1").first();
    expect(await left()).not.toBeNull();
    await service.sweep();
    expect(await left()).toBeNull();
    expect((await send(service, "GET", "/api/v1/balance", { key })).status).toBe(200);
  });
});
