import { beforeAll, expect, it } from "vitest";
import { silenceLogs } from "../support/read-logs.ts";
import { reportTrust } from "../trust/report.ts";
import { newCaller } from "./client.ts";
import { freshStorage } from "./fresh-storage.ts";
import { CRASH_KINDS } from "./gate.ts";
import { World, type WorldRequest } from "./world.ts";

/**
 * Guarantee: a secret that is shown once is not lost with the answer of a write. These two routes know no
 * Idempotency-Key, so that a client that was told of an error could never learn what its request had made.
 */

beforeAll(freshStorage);
const START_MS = Date.parse("2030-02-01T00:00:00.000Z");

function quietWorld(): World {
  silenceLogs();
  return new World(START_MS);
}

/** The step of a request's one write, as an undisturbed twin of it takes it. */
async function stepOf(world: World, call: string, twin: WorldRequest): Promise<number> {
  world.restart();
  expect((await world.request(twin)).status).toBe(201);
  const step = world.calls.indexOf(call);
  expect(step).toBeGreaterThan(0);
  return step;
}

const claimOf = (clientMarker: string): WorldRequest => ({
  method: "POST",
  path: "/api/v1/agent/trial-key",
  body: { clientMarker },
});

/**
 * Mechanism: D1 commits the claim's batch and the line breaks before its answer. The claim was then found in the
 * table, taken for another request's, and answered with 429: the five credits were granted to a workspace whose
 * secret nobody had, and the client was locked out for an hour.
 */
it("a trial whose commit was reported as failed is given out all the same", async ({ task }) => {
  const world = quietWorld();
  const step = await stepOf(world, "D1 batch", claimOf("twin"));
  world.crash({ step, kind: "fault-after" });
  const claimed = await world.request(claimOf("lost answer"));
  expect([claimed.status, claimed.body.data?.credits]).toEqual([201, 5]);
  const { secret } = claimed.body.data;
  world.restart();
  expect((await world.request({ method: "GET", path: "/api/v1/balance", secret })).status).toBe(200);
  expect((await world.request(claimOf("lost answer"))).status).toBe(429);
  reportTrust(task, { counts: { "lost answers": 1 } });
});

it("a trial whose batch failed was not claimed, and may be claimed again at once", async () => {
  const world = quietWorld();
  const step = await stepOf(world, "D1 batch", claimOf("other twin"));
  world.crash({ step, kind: "fault-before" });
  expect((await world.request(claimOf("failed"))).status).toBe(500);
  world.restart();
  expect((await world.request(claimOf("failed"))).status).toBe(201);
});

/**
 * Mechanism: the insert is committed and its answer lost. The request failed with 500 and left a live key whose
 * secret nobody had; each retry left another, until the workspace had its hundred.
 */
it("a key whose insert was reported as failed is shown all the same, and there is one of it", async ({
  task,
}) => {
  const world = quietWorld();
  const { secret } = await newCaller({ credits: 1 });
  // The first use of a key is noted; later ones within the minute are not, so that the insert is the only write.
  await world.request({ method: "GET", path: "/api/v1/balance", secret });
  const create = { method: "POST", path: "/api/v1/api-keys", secret };
  const bodyOf = (name: string) => ({ name, scopes: ["balance:read"] });
  const step = await stepOf(world, "D1 run", { ...create, body: bodyOf("Twin") });
  for (const kind of CRASH_KINDS.filter((name) => name.startsWith("fault"))) {
    world.crash({ step, kind });
    const { status } = await world.request({ ...create, body: bodyOf(kind) });
    expect([kind, status]).toEqual([kind, kind === "fault-after" ? 201 : 500]);
  }
  world.restart();
  const { body } = await world.request({ method: "GET", path: "/api/v1/api-keys", secret });
  const names: string[] = body.data.items.map(({ name }: { name: string }) => name);
  expect(names.sort()).toEqual(["First key", "Twin", "fault-after"]);
  reportTrust(task, { counts: { "lost answers": 2 } });
});
