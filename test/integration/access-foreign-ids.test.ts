import { env } from "cloudflare:workers";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { describedOperations, reportDoors, VISUAL_SLOTS_OF_JOBS } from "../support/access.ts";
import { firstFile, type ReadyPack, readyPack } from "../support/artifacts.ts";
import { createIntent } from "../support/assets.ts";
import { png } from "../support/files.ts";
import { acceptedJob, holdQueue, packOf } from "../support/jobs.ts";
import { type Answer, type Call, call, createWorkspace, type TestWorkspace } from "../support/workspace.ts";

/**
 * Guarantee: in every place where an id can stand, another workspace's id is answered as one that exists nowhere,
 * byte for byte, and nothing of the other workspace is changed or shown.
 */

reportDoors();

afterEach(() => {
  vi.restoreAllMocks();
});

const PICTURE = png(300, 300);
const FILE = {
  slotId: "logo",
  fileName: "a.png",
  mimeType: "image/png",
  bytes: PICTURE,
  width: 300,
  height: 300,
};

interface Victim {
  readonly pack: ReadyPack;
  readonly fileId: string;
  readonly uploadId: string;
  readonly pendingAssetId: string;
  readonly queuedJobId: string;
  readonly fingerprint: string;
}

let victim: Victim;
let own: ReadyPack;
let thief: TestWorkspace;

beforeAll(async () => {
  const pack = await readyPack();
  own = await readyPack();
  thief = own.client;
  const intent = await createIntent(pack.client.secret, FILE);
  const held = holdQueue();
  const job = await acceptedJob(pack.client);
  held.mockRestore();
  victim = {
    pack,
    fileId: firstFile(pack).fileId,
    uploadId: intent.uploadId,
    pendingAssetId: intent.assetId,
    queuedJobId: job.jobId,
    fingerprint: job.renderFingerprint,
  };
});

/** Everything a workspace owns in the database, and the names of its objects. */
async function belongingsOf(workspaceId: string): Promise<string> {
  const tables = ["workspaces", "api_keys", "assets", "uploads", "jobs", "artifacts", "ledger_events"];
  const rows = await env.DB.batch(
    tables.map((table) =>
      env.DB.prepare(`SELECT * FROM ${table} WHERE workspace_id = ?1 ORDER BY 1`).bind(workspaceId),
    ),
  );
  const { objects } = await env.BUCKET.list({ prefix: `workspaces/${workspaceId}/` });
  const withoutUse = JSON.stringify(rows.map(({ results }) => results)).replace(/"last_used_at":[^,}]+/g, "");
  return withoutUse + objects.map(({ key, etag }) => `${key} ${etag}`).join();
}

/** An answer without what differs between any two requests. */
const shapeOf = ({ status, headers, body }: Answer, ids: readonly string[]): string => {
  const counted = /^(x-request-id|x-ratelimit-|date|content-length)/i;
  const kept = [...headers].filter(([name]) => !counted.test(name));
  let text = JSON.stringify({ status, kept, body });
  for (const id of [...ids, body?.meta?.requestId ?? ""]) {
    if (id !== "") text = text.replaceAll(id, "ID");
  }
  return text;
};

const NOBODYS = "01999999-9999-7999-8999-999999999999";
const key = () => ({ "Idempotency-Key": crypto.randomUUID() });

/** Each place, as the request that puts an id there. */
const PLACES: readonly (readonly [
  string,
  string,
  (id: string) => Call,
  path: (id: string) => string,
  () => string,
])[] = [
  ["GET", "an asset's path", () => ({}), (id) => `/api/v1/assets/${id}`, () => victim.pack.client.logoId],
  ["DELETE", "an asset's path", () => ({}), (id) => `/api/v1/assets/${id}`, () => victim.pack.client.logoId],
  [
    "PUT",
    "an upload's path",
    () => ({ body: PICTURE, headers: { "Content-Type": "image/png" } }),
    (id) => `/api/v1/assets/uploads/${id}/object`,
    () => victim.uploadId,
  ],
  [
    "PUT",
    "the query of an upload",
    () => ({ body: PICTURE, headers: { "Content-Type": "image/png" } }),
    (id) => `/api/v1/assets/upload-object?uploadId=${id}`,
    () => victim.uploadId,
  ],
  [
    "PUT",
    "the header of an upload",
    (id) => ({ body: PICTURE, headers: { "Content-Type": "image/png", "x-service-cc-upload-id": id } }),
    () => "/api/v1/assets/upload-object",
    () => victim.uploadId,
  ],
  [
    "POST",
    "a completion's path",
    () => ({ body: { assetId: victim.pendingAssetId, byteLength: PICTURE.length }, headers: key() }),
    (id) => `/api/v1/assets/uploads/${id}/complete`,
    () => victim.uploadId,
  ],
  ["GET", "a job's path", () => ({}), (id) => `/api/v1/jobs/${id}`, () => victim.queuedJobId],
  [
    "POST",
    "a cancellation's path",
    () => ({}),
    (id) => `/api/v1/jobs/${id}/cancel`,
    () => victim.queuedJobId,
  ],
  ["GET", "an artifact's path", () => ({}), (id) => `/api/v1/artifacts/${id}`, () => victim.pack.artifactId],
  [
    "GET",
    "a download's path",
    () => ({}),
    (id) => `/api/v1/artifacts/${id}/download`,
    () => victim.pack.artifactId,
  ],
  [
    "GET",
    "a file's path, as its artifact",
    () => ({}),
    (id) => `/api/v1/artifacts/${id}/files/${victim.fileId}/download`,
    () => victim.pack.artifactId,
  ],
  [
    "GET",
    "a file's path, as a file of one's own artifact",
    () => ({}),
    (id) => `/api/v1/artifacts/${own.artifactId}/files/${id}/download`,
    () => victim.fileId,
  ],
  [
    "DELETE",
    "an API key's path",
    () => ({}),
    (id) => `/api/v1/api-keys/${id}`,
    () => victim.pack.client.apiKeyId,
  ],
  [
    "POST",
    "the path of a destination",
    () => ({ body: {} }),
    (id) => `/api/account/artifacts/${id}/destinations`,
    () => victim.pack.artifactId,
  ],
  ...VISUAL_SLOTS_OF_JOBS.flatMap((slot) =>
    (["jobs", "previews"] as const).map(
      (noun) =>
        [
          "POST",
          `the ${slot} of a request to ${noun}`,
          (id: string) => ({
            body: packOf(
              { logoId: id },
              {
                assetIds:
                  slot === "secondaryMedia"
                    ? { media: id, secondaryMedia: id }
                    : { logo: own.client.logoId, [slot]: id },
              },
            ),
            headers: key(),
          }),
          () => `/api/v1/${noun}`,
          () => victim.pack.client.logoId,
        ] as const,
    ),
  ),
];

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

it("every path in which the interface takes an id from a key's bearer is tried", async () => {
  const tried = new Set(
    PLACES.map(([method, , , pathOf]) => `${method} ${pathOf(NOBODYS).replace(UUID, "ID")}`),
  );
  const described = (await describedOperations())
    .map(({ method, path, isPublic }) => ({ isPublic, text: `${method} ${path.replace(UUID, "ID")}` }))
    // Sessions have tests of their own (account-*.test.ts).
    .filter(({ isPublic, text }) => !isPublic && text.includes("ID") && !text.includes("/api/account/"));
  expect(described.length).toBeGreaterThan(8);
  expect(described.map(({ text }) => text).filter((text) => !tried.has(text))).toEqual([]);
});

describe("a foreign id is answered as one of nobody", () => {
  it.each(PLACES)("%s: in %s", async (method, _where, callOf, pathOf, foreignId) => {
    const before = await belongingsOf(victim.pack.client.workspaceId);
    const [foreign, nobodys] = await Promise.all(
      [foreignId(), NOBODYS].map((id) => call(method, pathOf(id), { secret: thief.secret, ...callOf(id) })),
    );
    if (foreign === undefined || nobodys === undefined) throw new Error("two answers");
    const ids = [foreignId(), NOBODYS];
    expect(foreign.status).toBeGreaterThanOrEqual(400);
    expect(foreign.status).toBeLessThan(502);
    expect(shapeOf(foreign, ids)).toBe(shapeOf(nobodys, ids));
    expect(await belongingsOf(victim.pack.client.workspaceId)).toBe(before);
  });

  it("as the asset that completes one's own upload", async () => {
    const intent = await createIntent(thief.secret, FILE);
    const complete = (assetId: string) =>
      call("POST", `/api/v1/assets/uploads/${intent.uploadId}/complete`, {
        secret: thief.secret,
        body: { assetId, byteLength: PICTURE.length },
        headers: key(),
      });
    const [foreign, nobodys] = [await complete(victim.pendingAssetId), await complete(NOBODYS)];
    expect(foreign.status).toBe(404);
    expect(shapeOf(foreign, [])).toBe(shapeOf(nobodys, []));
  });

  it("when query and header name two uploads, of which one is one's own", async () => {
    const intent = await createIntent(thief.secret, FILE);
    for (const [query, header] of [
      [victim.uploadId, intent.uploadId],
      [intent.uploadId, victim.uploadId],
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

describe("lists show one's own rows only", () => {
  const itemsOf = async (path: string): Promise<Record<string, unknown>[]> =>
    (await call("GET", path, { secret: thief.secret })).body.data.items;

  it("whatever cursor or fingerprint is sent", async () => {
    const latest = await env.DB.prepare("SELECT MAX(event_id) AS id FROM ledger_events").first<number>("id");
    const events = await itemsOf(`/api/v1/usage?limit=100&before=${(latest ?? 0) + 1}`);
    const { results } = await env.DB.prepare(
      "SELECT event_id AS id FROM ledger_events WHERE workspace_id = ?1",
    )
      .bind(thief.workspaceId)
      .all<{ id: number }>();
    expect(events.map((event) => Number(event.eventId)).sort()).toEqual(results.map(({ id }) => id).sort());
    const jobs = await itemsOf(`/api/v1/jobs?limit=100&before=2999-01-01T00:00:00Z`);
    expect(jobs.map(({ jobId }) => jobId)).toEqual([own.manifest.jobId]);
    const assets = await itemsOf("/api/v1/assets?limit=100&before=2999-01-01T00:00:00Z");
    expect(assets.map(({ assetId }) => assetId)).toContain(own.client.logoId);
    expect(assets.map(({ assetId }) => assetId)).not.toContain(victim.pack.client.logoId);
    const keys = await itemsOf("/api/v1/api-keys");
    expect(keys.map(({ apiKeyId }) => apiKeyId)).toEqual([thief.apiKeyId]);
  });

  it("a foreign job's fingerprint finds nothing that is not one's own", async () => {
    const stranger = await createWorkspace({ credits: 1 });
    const found = await call("GET", `/api/v1/jobs?renderFingerprint=${victim.fingerprint}`, {
      secret: stranger.secret,
    });
    expect(found.body.data.items).toEqual([]);
  });

  it("an Idempotency-Key that another workspace has used is free", async () => {
    const first = await createIntent(victim.pack.client.secret, FILE);
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
    const [theirs, mine] = [await send(victim.pack.client.secret), await send(thief.secret)];
    expect([theirs.status, mine.status]).toEqual([201, 201]);
    expect(mine.body.data.uploadId).not.toBe(theirs.body.data.uploadId);
    expect(mine.body.data.uploadId).not.toBe(first.uploadId);
  });
});
