import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { everyDatabase } from "#platform/databases/databases.ts";
import { describedOperations, reportAccessAttempts } from "../support/access.ts";
import { readyPack } from "../support/artifacts.ts";
import { createIntent } from "../support/assets.ts";
import { selectRows } from "../support/database.ts";
import { boundDatabases, databaseOfWorkspace, isOnShards } from "../support/homes.ts";
import { FILE, type Ground, newKey, newVictim, PICTURE, PLACES } from "../support/id-places.ts";
import { type Answer, call, createWorkspace, type TestWorkspace } from "../support/workspace.ts";

/**
 * Wherever a request contains an id, an id of another workspace gets byte for byte the answer of an unknown id. Nothing
 * of the other workspace is changed or shown.
 */

reportAccessAttempts();

let ground: Ground;
let thief: TestWorkspace;

beforeAll(async () => {
  ground = { victim: await newVictim(), own: await readyPack() };
  thief = ground.own.client;
});

/** Column values that other requests change, or that differ by database. */
const OF_A_PLACE = /"(?:last_used_at|event_id|home|moving_to|moving_since|people_\w+)":[^,}]+/g;

/** All rows of a workspace, and the keys of its objects. */
async function belongingsOf(workspaceId: string): Promise<string> {
  const tables = [
    "workspaces",
    "api_keys",
    "assets",
    "brands",
    "destinations",
    "deliveries",
    "uploads",
    "jobs",
    "artifacts",
    "shares",
    "image_secrets",
    "ledger_events",
  ];
  const db = await databaseOfWorkspace(workspaceId);
  const rows = await db.batch(
    tables.map((table) =>
      db.prepare(`SELECT * FROM ${table} WHERE workspace_id = ?1 ORDER BY 1`).bind(workspaceId),
    ),
  );
  const { objects } = await env.BUCKET.list({ prefix: `workspaces/${workspaceId}/` });
  const withoutUse = JSON.stringify(rows.map(({ results }) => results)).replace(
    isOnShards() ? OF_A_PLACE : /"last_used_at":[^,}]+/g,
    "",
  );
  return withoutUse + objects.map(({ key, etag }) => `${key} ${etag}`).join();
}

/** An answer without the parts that differ for every request. */
const shapeOf = ({ status, headers, body }: Answer, ids: readonly string[]): string => {
  const counted = /^(x-request-id|x-ratelimit-|x-d1-bookmark|date|content-length)/i;
  const kept = [...headers].filter(([name]) => !counted.test(name));
  let text = JSON.stringify({ status, kept, body });
  for (const id of [...ids, body?.meta?.requestId ?? ""]) {
    if (id !== "") text = text.replaceAll(id, "ID");
  }
  return text;
};

const NOBODYS = "01999999-9999-7999-8999-999999999999";

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

it("every path with an id that an API key can call is tested", async () => {
  const tried = new Set(
    PLACES.map(({ method, request }) => `${method} ${request(NOBODYS, ground).path.replace(UUID, "ID")}`),
  );
  const described = (await describedOperations())
    .map(({ method, path, isPublic }) => ({ isPublic, text: `${method} ${path.replace(UUID, "ID")}` }))
    // Sessions have their own tests (account-*.test.ts).
    .filter(({ isPublic, text }) => !isPublic && text.includes("ID") && !text.includes("/api/account/"));
  expect(described.length).toBeGreaterThan(8);
  expect(described.map(({ text }) => text).filter((text) => !tried.has(text))).toEqual([]);
});

describe("API §15.5 a foreign id is answered like an unknown one", () => {
  it.each(PLACES)("$method: in $where", async ({ method, request, idOf }) => {
    const { victim } = ground;
    const before = await belongingsOf(victim.pack.client.workspaceId);
    const ids = [idOf(victim), NOBODYS];
    const [foreign, nobodys] = await Promise.all(
      ids.map((id) => {
        const { path, ...sent } = request(id, ground);
        return call(method, path, { secret: thief.secret, ...sent });
      }),
    );
    if (foreign === undefined || nobodys === undefined) throw new Error("two answers");
    expect(foreign.status).toBeGreaterThanOrEqual(400);
    expect(foreign.status).toBeLessThan(502);
    expect(shapeOf(foreign, ids)).toBe(shapeOf(nobodys, ids));
    expect(await belongingsOf(victim.pack.client.workspaceId)).toBe(before);
  });

  it("for an asset id when the caller completes its own upload", async () => {
    const intent = await createIntent(thief.secret, FILE);
    const complete = (assetId: string) =>
      call("POST", `/api/v1/assets/uploads/${intent.uploadId}/complete`, {
        secret: thief.secret,
        body: { assetId, byteLength: PICTURE.length },
        headers: newKey(),
      });
    const [foreign, nobodys] = [await complete(ground.victim.pendingAssetId), await complete(NOBODYS)];
    expect(foreign.status).toBe(404);
    expect(shapeOf(foreign, [])).toBe(shapeOf(nobodys, []));
  });

  it("for an upload id in the query with the caller's own id in the header, and vice versa", async () => {
    const intent = await createIntent(thief.secret, FILE);
    for (const [query, header] of [
      [ground.victim.uploadId, intent.uploadId],
      [intent.uploadId, ground.victim.uploadId],
    ]) {
      const answer = await call("PUT", `/api/v1/assets/upload-object?uploadId=${query}`, {
        secret: thief.secret,
        body: PICTURE,
        headers: { "Content-Type": "image/png", "x-service-cc-upload-id": header ?? "" },
      });
      expect(answer.status).toBe(400);
    }
  });
});

describe("lists show only rows of the key's workspace", () => {
  const itemsOf = async (path: string): Promise<Record<string, unknown>[]> =>
    (await call("GET", path, { secret: thief.secret })).body.data.items;

  it("whatever cursor or fingerprint is sent", async () => {
    // A cursor after the events of all databases, because each database numbers its events separately.
    const latest = await Promise.all(
      everyDatabase(boundDatabases()).map(({ db }) =>
        db.prepare("SELECT MAX(event_id) AS id FROM ledger_events").first<number>("id"),
      ),
    );
    const events = await itemsOf(`/api/v1/usage?limit=100&before=${Math.max(...latest.map(Number)) + 1}`);
    const results = await selectRows<{ id: number }>`SELECT event_id AS id FROM ledger_events
      WHERE workspace_id = ${thief.workspaceId}`;
    expect(events.map((event) => Number(event.eventId)).sort()).toEqual(results.map(({ id }) => id).sort());
    const jobs = await itemsOf(`/api/v1/jobs?limit=100&before=2999-01-01T00:00:00Z`);
    expect(jobs.map(({ jobId }) => jobId)).toEqual([ground.own.manifest.jobId]);
    const assets = await itemsOf("/api/v1/assets?limit=100&before=2999-01-01T00:00:00Z");
    expect(assets.map(({ assetId }) => assetId)).toContain(ground.own.client.logoId);
    expect(assets.map(({ assetId }) => assetId)).not.toContain(ground.victim.pack.client.logoId);
    const keys = await itemsOf("/api/v1/api-keys");
    expect(keys.map(({ apiKeyId }) => apiKeyId)).toEqual([thief.apiKeyId]);
  });

  it("the fingerprint of a foreign job finds only the caller's own jobs", async () => {
    const stranger = await createWorkspace({ credits: 1 });
    const found = await call("GET", `/api/v1/jobs?renderFingerprint=${ground.victim.fingerprint}`, {
      secret: stranger.secret,
    });
    expect(found.body.data.items).toEqual([]);
  });

  it("an Idempotency-Key that another workspace has used can be used", async () => {
    const first = await createIntent(ground.victim.pack.client.secret, FILE);
    const shared = "order-1";
    const send = (secret: string) =>
      call("POST", "/api/v1/assets/uploads", {
        secret,
        body: {
          slotId: "logo",
          fileName: "a.png",
          mimeType: "image/png",
          byteLength: 9,
          width: 300,
          height: 300,
        },
        headers: { "Idempotency-Key": shared },
      });
    const [theirs, mine] = [await send(ground.victim.pack.client.secret), await send(thief.secret)];
    expect([theirs.status, mine.status]).toEqual([201, 201]);
    expect(mine.body.data.uploadId).not.toBe(theirs.body.data.uploadId);
    expect(mine.body.data.uploadId).not.toBe(first.uploadId);
  });
});
