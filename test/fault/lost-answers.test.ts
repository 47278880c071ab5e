import { beforeAll, expect, it } from "vitest";
import { reportStress } from "../stress/report.ts";
import { isOnShards } from "../support/homes.ts";
import { newCaller } from "./client.ts";
import { freshStorage } from "./fresh-storage.ts";
import { CRASH_KINDS } from "./gate.ts";
import { quietWorld, type World, type WorldRequest } from "./world.ts";

/**
 * A secret that is shown only once is returned even if the answer of a write was lost. These routes have no
 * Idempotency-Key, so a client could not repeat a failed request.
 */

beforeAll(freshStorage);
const START_MS = Date.parse("2030-02-01T00:00:00.000Z");

/** Step numbers of a request's calls of one kind, observed in an identical request without faults. */
async function stepsOf(world: World, call: string, twin: WorldRequest): Promise<readonly number[]> {
  world.restart();
  expect((await world.request(twin)).status).toBe(201);
  return world.calls.flatMap((made, step) => (made === call ? [step] : []));
}

/** Step number of a request's only call of one kind. */
async function stepOf(world: World, call: string, twin: WorldRequest): Promise<number> {
  const [step, ...others] = await stepsOf(world, call, twin);
  expect(others).toEqual([]);
  expect(step).toBeGreaterThan(0);
  return step ?? 0;
}

/** The last batch of a trial claims it; on a shard, an earlier batch creates the workspace. */
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

it("a trial whose commit was reported as failed is still returned to its client", async ({ task }) => {
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

it("a trial whose batch failed may be claimed again at once", async () => {
  const world = quietWorld(START_MS);
  const { all, before } = await stepsOfTrial(world, claimOf("other twin"));
  const crashes = [
    ...all.map((step) => ({ step, kind: "fault-before" as const })),
    // The workspace was created but not claimed, because the client got no answer. The client may claim a trial again.
    ...before.map((step) => ({ step, kind: "fault-after" as const })),
  ];
  for (const [at, crash] of crashes.entries()) {
    world.crash(crash);
    expect((await world.request(claimOf(`failed ${at}`))).status).toBe(500);
    world.restart();
    expect((await world.request(claimOf(`failed ${at}`))).status).toBe(201);
  }
});

it("a key whose insert was reported as failed is shown, and exists once", async ({ task }) => {
  const world = quietWorld(START_MS);
  const { secret } = await newCaller({ credits: 1 });
  // Records the key's first use, so that the insert is the next request's only write.
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
