import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { newId } from "../../src/platform/ids.ts";
import { silenceLogs } from "../support/read-logs.ts";
import { callerWithJob, callerWithLogo, SIZE_IDS } from "./client.ts";
import { freshStorage } from "./fresh-storage.ts";
import { World, type WorldRequest } from "./world.ts";

/**
 * Guarantee: a request crosses to the database as often as is said here and no more. Each crossing is tens of
 * milliseconds for a caller far away; one that slips in is noticed here, and not in a bill.
 */

beforeAll(freshStorage);
afterEach(() => {
  vi.restoreAllMocks();
});

const START_MS = Date.parse("2033-05-01T00:00:00.000Z");

function quietWorld(): World {
  silenceLogs();
  return new World(START_MS);
}

/** The calls that one request makes, told by name and in no order: some are made after the answer. */
async function callsOf(world: World, request: WorldRequest, status: number): Promise<readonly string[]> {
  const before = world.calls.length;
  expect((await world.request(request)).status).toBe(status);
  return world.calls.slice(before).toSorted();
}

const get = (secret: string, path: string): WorldRequest => ({ method: "GET", path, secret });

const post = (secret: string, path: string, body?: unknown): WorldRequest => ({
  method: "POST",
  path,
  secret,
  ...(body === undefined ? {} : { body }),
  headers: { "Idempotency-Key": newId() },
});

/** A workspace whose key this isolate has just read. */
async function warm(world: World) {
  const caller = await callerWithJob(world, { credits: 50 });
  world.restart();
  await world.request(get(caller.secret, "/api/v1/balance"));
  return caller;
}

it("a key that was not read lately costs one read more, and its use is noted once a minute", async () => {
  const world = quietWorld();
  const { secret } = await callerWithLogo(world, {});
  world.wait(60_000);
  world.restart();
  const balance = get(secret, "/api/v1/balance");
  expect(await callsOf(world, balance, 200)).toEqual(["D1 first", "D1 first", "D1 run", "window count"]);
  expect(await callsOf(world, balance, 200)).toEqual(["D1 first", "window count"]);
  world.wait(9_999);
  expect(await callsOf(world, balance, 200)).toEqual(["D1 first", "window count"]);
  world.wait(1);
  expect(await callsOf(world, balance, 200)).toEqual(["D1 first", "D1 first", "window count"]);
});

it("GET balance and GET jobs/{jobId}: one", async () => {
  const world = quietWorld();
  const { secret, jobId } = await warm(world);
  expect(await callsOf(world, get(secret, "/api/v1/balance"), 200)).toEqual(["D1 first", "window count"]);
  expect(await callsOf(world, get(secret, `/api/v1/jobs/${jobId}`), 200)).toEqual([
    "D1 first",
    "window count",
  ]);
});

it("POST jobs: one to read, one to write; messages go out after the answer", async () => {
  const world = quietWorld();
  const { secret, assetId } = await warm(world);
  const body = { contractId: "display.v1", selectedSizeIds: SIZE_IDS, assetIds: { logo: assetId } };
  const create = post(secret, "/api/v1/jobs", body);
  const afterwards = ["D1 run", "lock release", "queue sendBatch"];
  expect(await callsOf(world, create, 202)).toEqual(
    ["D1 batch", "D1 batch", "lock acquire", "window count", ...afterwards].toSorted(),
  );
  // A replay reads what was made.
  expect(await callsOf(world, create, 200)).toEqual(
    ["D1 batch", "D1 first", "lock acquire", "lock release", "window count"].toSorted(),
  );
});

it("POST jobs/{jobId}/cancel: one, and the read of the key, which writes always make", async () => {
  const world = quietWorld();
  const { secret, jobId } = await warm(world);
  const cancel = post(secret, `/api/v1/jobs/${jobId}/cancel`);
  for (let time = 0; time < 2; time += 1) {
    // After the answer, the deliveries that the end of a job made are looked for.
    expect(await callsOf(world, cancel, 200)).toEqual(["D1 all", "D1 batch", "D1 first", "window count"]);
  }
});
