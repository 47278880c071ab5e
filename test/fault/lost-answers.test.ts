import { beforeAll, expect, it } from "vitest";
import { reportStress } from "../stress/report.ts";
import { isOnShards } from "../support/homes.ts";
import { newCaller } from "./client.ts";
import { freshStorage } from "./fresh-storage.ts";
import { CRASH_KINDS } from "./gate.ts";
import { quietWorld, type World, type WorldRequest } from "./world.ts";

/**
 * Guarantee: a secret that is shown once is not lost with the answer of a write. These two routes know no
 * Idempotency-Key, so that a client that was told of an error could never learn what its request had made.
 */

beforeAll(freshStorage);
const START_MS = Date.parse("2030-02-01T00:00:00.000Z");

/** The steps of a request's writes, as an undisturbed twin of it takes them. */
async function stepsOf(world: World, call: string, twin: WorldRequest): Promise<readonly number[]> {
  world.restart();
  expect((await world.request(twin)).status).toBe(201);
  return world.calls.flatMap((made, step) => (made === call ? [step] : []));
}

/** The step of a request's one write. */
async function stepOf(world: World, call: string, twin: WorldRequest): Promise<number> {
  const [step, ...others] = await stepsOf(world, call, twin);
  expect(others).toEqual([]);
  expect(step).toBeGreaterThan(0);
  return step ?? 0;
}

/** The last batch of a trial is the one that claims it; on a shard the workspace is made by another before it. */
async function stepsOfTrial(world: World, twin: WorldRequest) {
  const steps = await stepsOf(world, "D1 batch", twin);
  expect(steps).toHaveLength(isOnShards() ? 2 : 1);
  return { claiming: steps.at(-1) ?? 0, before: steps.slice(0, -1), all: steps };
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
  const world = quietWorld(START_MS);
  const { claiming } = await stepsOfTrial(world, claimOf("twin"));
  world.crash({ step: claiming, kind: "fault-after" });
  const claimed = await world.request(claimOf("lost answer"));
  expect([claimed.status, claimed.body.data?.credits]).toEqual([201, 5]);
  const { secret } = claimed.body.data;
  world.restart();
  expect((await world.request({ method: "GET", path: "/api/v1/balance", secret })).status).toBe(200);
  expect((await world.request(claimOf("lost answer"))).status).toBe(429);
  reportStress(task, { counts: { "lost answers": 1 } });
});

it("a trial whose batch failed was not claimed, and may be claimed again at once", async () => {
  const world = quietWorld(START_MS);
  const { all, before } = await stepsOfTrial(world, claimOf("other twin"));
  const crashes = [
    ...all.map((step) => ({ step, kind: "fault-before" as const })),
    // The workspace is there and its claim is not: the client was given nothing, and is owed all of it.
    ...before.map((step) => ({ step, kind: "fault-after" as const })),
  ];
  for (const [at, crash] of crashes.entries()) {
    world.crash(crash);
    expect((await world.request(claimOf(`failed ${at}`))).status).toBe(500);
    world.restart();
    expect((await world.request(claimOf(`failed ${at}`))).status).toBe(201);
  }
});

/**
 * Mechanism: the insert is committed and its answer lost. The request failed with 500 and left a live key whose
 * secret nobody had; each retry left another, until the workspace had its hundred.
 */
it("a key whose insert was reported as failed is shown all the same, and there is one of it", async ({
  task,
}) => {
  const world = quietWorld(START_MS);
  const { secret } = await newCaller({ credits: 1 });
  // The first use of a key is noted; later ones within the minute are not, so that the insert is the only write.
  await world.request({ method: "GET", path: "/api/v1/balance", secret });
  const create = { method: "POST", path: "/api/v1/api-keys", secret };
  const bodyOf = (name: string) => ({ name, scopes: ["balance:read"] });
  const step = await stepOf(world, "D1 batch", { ...create, body: bodyOf("Twin") });
  for (const kind of CRASH_KINDS.filter((name) => name.startsWith("fault"))) {
    world.crash({ step, kind });
    const { status } = await world.request({ ...create, body: bodyOf(kind) });
    expect([kind, status]).toEqual([kind, kind === "fault-after" ? 201 : 500]);
  }
  world.restart();
  const { body } = await world.request({ method: "GET", path: "/api/v1/api-keys", secret });
  const names: string[] = body.data.items.map(({ name }: { name: string }) => name);
  expect(names.sort()).toEqual(["First key", "Twin", "fault-after"]);
  reportStress(task, { counts: { "lost answers": 2 } });
});
