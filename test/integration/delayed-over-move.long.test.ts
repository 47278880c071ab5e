import { env } from "cloudflare:workers";
import { expect, it, vi } from "vitest";
import { mirrorPeople } from "#domains/accounts/members/copy-members-to-shard.ts";
import { clock } from "#platform/clock.ts";
import { latestMove } from "#platform/databases/move-store.ts";
import { requestMove, runMoves } from "#platform/databases/run-moves.ts";
import { Gate, Pause } from "../fault/gate.ts";
import { gatedDatabase } from "../fault/gated-env.ts";
import { linksOf, pathOf, readyPack } from "../support/artifacts.ts";
import { acceptedJob, holdQueue } from "../support/jobs.ts";
import { silenceLogs } from "../support/read-logs.ts";
import { shardedDatabases, withShards } from "../support/shards.ts";
import { type Answer, call } from "../support/workspace.ts";

/**
 * A request may be delayed until its workspace has moved and the old rows are deleted. It is then answered from the
 * workspace's rows in the new database, or with 429 SERVICE_BUSY and Retry-After, but never as if the rows did not
 * exist. A retry after the 429 succeeds.
 */

const databases = shardedDatabases();
/** Each request is delayed at its first, second and each further call to the database that it was routed to. */
const STEPS = 4;

interface Request {
  readonly method: string;
  readonly path: string;
  readonly secret?: string;
}

/** The answer without ledger numbers, because these differ by database. */
const shown = ({ status, body, bytes }: Answer) =>
  body === null
    ? [status, bytes.byteLength]
    : [status, JSON.stringify(body.data).replaceAll(/"eventId":"\d+"/g, "")];

const codeOf = ({ status, body }: Answer) => [status, body?.error?.code];

it("a request that is delayed until its workspace has moved is answered, or can be retried", async () => {
  silenceLogs();
  const settings = await withShards();
  let nowMs = Date.now();
  vi.spyOn(clock, "now").mockImplementation(() => nowMs);
  const pack = await readyPack();
  const { secret, workspaceId } = pack.client;
  const links = await linksOf(pack);
  const held = holdQueue();
  const { jobId } = await acceptedJob(pack.client);
  held.mockRestore();
  const reads: readonly Request[] = [
    "/api/v1/balance",
    "/api/v1/usage",
    "/api/v1/assets",
    "/api/v1/jobs",
    `/api/v1/jobs/${pack.manifest.jobId}`,
    "/api/v1/artifacts",
    `/api/v1/artifacts/${pack.artifactId}`,
    `/api/v1/artifacts/${pack.artifactId}/shares`,
  ].map((path) => ({ method: "GET", path, secret }));
  const requests: readonly Request[] = [
    ...reads,
    ...links.files.slice(0, 1).map(({ url }) => ({ method: "GET", path: pathOf(url) })),
    { method: "POST", path: `/api/v1/jobs/${jobId}/cancel`, secret },
  ];

  const hanging: { readonly request: Request; readonly pause: Pause; readonly answer: Promise<Answer> }[] =
    [];
  for (const request of requests) {
    for (let step = 0; step < STEPS; step += 1) {
      // A cancellation that is delayed at a later step has already taken effect.
      if (request.method === "POST" && step >= 2) break;
      const pause = new Pause(step);
      const DB = gatedDatabase(env.DB, new Gate(pause));
      const { method, path, ...rest } = request;
      const answer = call(method, path, { ...rest, settings: { ...settings, DB } });
      hanging.push({ request, pause, answer });
      await Promise.race([pause.reached, answer]);
    }
  }
  expect(await requestMove(databases, { workspaceId, target: "02", nowMs })).toMatchObject({
    phase: "asked",
  });
  for (let run = 0; (await latestMove.first(env.DB, { workspaceId }))?.phase !== "done"; run += 1) {
    expect(run, "runs of a move").toBeLessThan(8);
    await runMoves(databases, (id) => mirrorPeople(databases, id, nowMs));
    nowMs += 61_000;
  }
  let heldUp = 0;
  for (const { request, pause, answer } of hanging) {
    pause.release();
    const what = `${request.method} ${request.path}, step ${pause.step}`;
    const first = await answer;
    const isMoving = first.status === 429;
    if (isMoving) {
      heldUp += 1;
      expect(codeOf(first), what).toEqual([429, "SERVICE_BUSY"]);
      expect(Number(first.headers.get("Retry-After")), what).toBeGreaterThan(0);
    }
    const { method, path, ...rest } = request;
    const again = await call(method, path, { ...rest, settings });
    expect(again.status, what).toBe(200);
    if (!isMoving && request.method === "GET") {
      expect(shown(first), what).toEqual(shown(again));
    }
  }
  expect(heldUp).toBeGreaterThan(reads.length);
});
