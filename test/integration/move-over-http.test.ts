import { env } from "cloudflare:workers";
import { beforeAll, expect, it, vi } from "vitest";
import { mirrorPeople } from "#domains/accounts/members/copy-members-to-shard.ts";
import { clock } from "#platform/clock.ts";
import { latestMove, placeOf } from "#platform/databases/move-store.ts";
import { requestMove, runMoves } from "#platform/databases/run-moves.ts";
import { firstFile, linksOf, pathOf, type ReadyPack, readyPack } from "../support/artifacts.ts";
import { acceptedJob, holdQueue, packOf } from "../support/jobs.ts";
import { silenceLogs } from "../support/read-logs.ts";
import { shardedDatabases, withShards } from "../support/shards.ts";
import { LOGO_UPLOAD } from "../support/upload-request.ts";
import { call, type Settings } from "../support/workspace.ts";

const databases = shardedDatabases();
let settings: Settings;

beforeAll(async () => {
  settings = await withShards();
});

const idempotent = () => ({ "Idempotency-Key": crypto.randomUUID() });
/** Reads of each kind, with their answers before the move. */
async function readsOf({ client: { secret }, artifactId, manifest: { jobId } }: ReadyPack) {
  const paths = [
    "/api/v1/balance",
    "/api/v1/usage",
    "/api/v1/assets",
    "/api/v1/jobs",
    `/api/v1/jobs/${jobId}`,
    "/api/v1/artifacts",
    `/api/v1/artifacts/${artifactId}`,
  ];
  const answers = await Promise.all(paths.map((path) => call("GET", path, { secret, settings })));
  // The answer without the number of a ledger event, which may differ in the new database.
  const withoutNumbers = (data: unknown) => JSON.stringify(data).replaceAll(/"eventId":"\d+"/g, "");
  return answers.map(({ status, body }, at) => [paths[at], status, withoutNumbers(body.data)]);
}

/** Answers to a write of each kind. */
async function writesOf({ client, artifactId }: ReadyPack) {
  const { secret } = client;
  const write = (method: string, path: string, body?: unknown) =>
    call(method, path, { secret, settings, headers: idempotent(), ...(body === undefined ? {} : { body }) });
  const answers = await Promise.all([
    write("POST", "/api/v1/assets/uploads", LOGO_UPLOAD),
    write("POST", "/api/v1/jobs", packOf(client)),
    write("POST", `/api/v1/artifacts/${artifactId}/shares`, {}),
  ]);
  return answers.map(({ status, headers, body }) => [
    ...[status, body.error?.code ?? null],
    Number(headers.get("Retry-After")) > 0,
  ]);
}

it("during a move, reads work and writes wait; keys, links and cursors from before the move work after it", async () => {
  silenceLogs();
  let nowMs = Date.now();
  vi.spyOn(clock, "now").mockImplementation(() => nowMs);
  const pack = await readyPack();
  const { secret, workspaceId } = pack.client;
  nowMs += 1_000;
  const held = holdQueue();
  const second = await acceptedJob(pack.client);
  held.mockRestore();
  const links = await linksOf(pack);
  const page = await call("GET", "/api/v1/jobs?limit=1", { secret, settings });
  expect(page.body.data.items.map(({ jobId }: { jobId: string }) => jobId)).toEqual([second.jobId]);
  const before = await readsOf(pack);
  expect(before.map(([, status]) => status)).toEqual(before.map(() => 200));

  const moving: (readonly [string, unknown, unknown])[] = [];
  const look = async (phase: string) => {
    moving.push([phase, await readsOf(pack), await writesOf(pack)]);
  };
  const target = env.TEST_SHARD_01;
  const batch = target.batch.bind(target);
  vi.spyOn(target, "batch").mockImplementation(async (statements: D1PreparedStatement[]) => {
    const place = await placeOf.first(env.DB, { workspaceId });
    if (place?.movingSince != null && moving.length === 0) await look("comparing");
    return batch(statements);
  });
  expect(await requestMove(databases, { workspaceId, target: "01", nowMs })).toMatchObject({
    phase: "asked",
  });
  for (let run = 0; (await latestMove.first(env.DB, { workspaceId }))?.phase !== "emptying"; run += 1) {
    expect(run, "runs of a move").toBeLessThan(5);
    await runMoves(databases, async (id) => {
      await look("opening");
      await mirrorPeople(databases, id, nowMs);
    });
    nowMs += 20_000;
  }
  const refused = [429, "SERVICE_BUSY", true];
  expect(moving).toEqual([
    ["comparing", before, [refused, refused, refused]],
    ["opening", before, [refused, refused, refused]],
  ]);

  const check = async () => {
    expect(await readsOf(pack)).toEqual(before);
    const rest = await call("GET", `/api/v1/jobs?limit=1&before=${page.body.data.nextBefore}`, {
      secret,
      settings,
    });
    expect(rest.body.data.items.map(({ jobId }: { jobId: string }) => jobId)).toEqual([pack.manifest.jobId]);
    const file = links.files.find(({ fileId }) => fileId === firstFile(pack).fileId);
    const sent = await call("GET", pathOf(file?.url ?? ""), { settings });
    expect([sent.status, sent.bytes.byteLength]).toEqual([200, firstFile(pack).byteLength]);
  };
  await check();
  nowMs += 61_000;
  await runMoves(databases, (id) => mirrorPeople(databases, id, nowMs));
  expect((await latestMove.first(env.DB, { workspaceId }))?.phase).toBe("done");
  await check();
  const upload = { secret, settings, headers: idempotent(), body: LOGO_UPLOAD };
  expect((await call("POST", "/api/v1/assets/uploads", upload)).status).toBe(201);
});
