import { beforeAll, expect, it } from "vitest";
import { newId } from "#platform/ids.ts";
import { callsOf, get, post } from "./calls-of.ts";
import { callerWithJob, callerWithLogo, newIntent, readyLogo, SIZE_IDS } from "./client.ts";
import { destinationOf, WEBHOOK } from "./deliveries.ts";
import { freshStorage } from "./fresh-storage.ts";
import { LOGO } from "./logo.ts";
import { quietWorld, type World, type WorldRequest } from "./world.ts";

/**
 * The exact trips of each request to database, storage and Durable Objects. Each trip costs a distant caller tens of
 * milliseconds.
 */

beforeAll(freshStorage);
const START_MS = Date.parse("2033-05-01T00:00:00.000Z");

/** A workspace whose key is in the isolate's cache. */
async function warm(world: World) {
  const caller = await callerWithJob(world, { credits: 50 });
  world.restart();
  await world.request(get(caller.secret, "/api/v1/balance"));
  return caller;
}

it("an uncached key costs one read; its use is recorded once a minute", async () => {
  const world = quietWorld(START_MS);
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

it("GET balance and GET jobs/{jobId} make one trip", async () => {
  const world = quietWorld(START_MS);
  const { secret, jobId } = await warm(world);
  expect(await callsOf(world, get(secret, "/api/v1/balance"), 200)).toEqual(["D1 first", "window count"]);
  expect(await callsOf(world, get(secret, `/api/v1/jobs/${jobId}`), 200)).toEqual([
    "D1 first",
    "window count",
  ]);
});

it("POST jobs makes two trips, or one with cached preconditions", async () => {
  const world = quietWorld(START_MS);
  const { secret, assetId } = await warm(world);
  const body = { contractId: "display.v1", selectedSizeIds: SIZE_IDS, assetIds: { logo: assetId } };
  const create = post(secret, "/api/v1/jobs", body);
  // Messages are sent after the answer.
  const afterwards = ["D1 run", "queue sendBatch"];
  expect(await callsOf(world, create, 202)).toEqual(
    ["D1 batch", "D1 batch", "window count", ...afterwards].toSorted(),
  );
  const another = post(secret, "/api/v1/jobs", body);
  expect(await callsOf(world, another, 202)).toEqual(["D1 batch", "window count", ...afterwards].toSorted());
  // An uncached key is read in one trip with the order's preconditions.
  const apart = { ...create, headers: { "Idempotency-Key": newId() } };
  world.restart();
  world.wait(60_000);
  const cold = ["D1 batch", "D1 batch", "window count", "D1 run", ...afterwards];
  expect(await callsOf(world, apart, 202)).toEqual(cold.toSorted());
  // A replay reads the job and the key; the first batch fails because the Idempotency-Key exists.
  const replay = ["D1 batch", "D1 first", "D1 first", "window count"];
  expect(await callsOf(world, create, 200)).toEqual(["D1 batch", ...replay].toSorted());
  expect(await callsOf(world, create, 200)).toEqual(replay.toSorted());
});

it("POST jobs with files by URL makes four trips and one per poll; `Prefer: wait` adds one per poll of the job", async () => {
  const world = quietWorld(START_MS);
  const caller = await warm(world);
  world.receive = async () => new Response(LOGO, { headers: { "Content-Type": "image/svg+xml" } });
  const { secret } = caller;
  const assets = { logo: { url: "https://images.customer.example/logo.svg" } };
  const create = post(secret, "/api/v1/jobs", {
    contractId: "display.v1",
    selectedSizeIds: SIZE_IDS,
    assets,
  });
  const looks = (count: number) => Array.from({ length: count }, () => "D1 all");
  // Trips for the preconditions, the imports, 14 polls and a possible replay. The queue is called beside them.
  const begun = [
    "D1 batch",
    "D1 batch",
    ...looks(15),
    ...["D1 first", "D1 first", "window count"],
    ...["D1 all", "D1 run", "queue sendBatch"],
  ];
  expect(await callsOf(world, create, 409)).toEqual(begun.toSorted());
  await world.deliverAll("imports");
  const accepted = [
    "D1 batch",
    ...looks(2),
    "D1 batch",
    "D1 batch",
    "window count",
    "D1 run",
    "queue sendBatch",
  ];
  expect(await callsOf(world, create, 202)).toEqual(accepted.toSorted());
  const read = { ...get(secret, `/api/v1/jobs/${caller.jobId}`), headers: { Prefer: "wait=30" } };
  const waited = [
    "D1 first",
    ...Array.from({ length: 19 }, () => "D1 first"),
    "D1 first",
    "window count",
    "window count",
  ];
  expect(await callsOf(world, read, 200)).toEqual(waited.toSorted());
});

it("POST jobs with notify makes two trips", async () => {
  const world = quietWorld(START_MS);
  const { secret, workspaceId, assetId } = await warm(world);
  const { destination } = await destinationOf(world, workspaceId, WEBHOOK);
  const body = { contractId: "display.v1", selectedSizeIds: SIZE_IDS, assetIds: { logo: assetId } };
  const order = () =>
    post(secret, "/api/v1/jobs", { ...body, notify: { destinationId: destination.destinationId } });
  const ordered = ["D1 batch", "D1 batch", "window count", "D1 run", "queue sendBatch"];
  expect(await callsOf(world, order(), 202)).toEqual(ordered.toSorted());
  expect(await callsOf(world, order(), 202)).toEqual(ordered.toSorted());
  world.restart();
  world.wait(60_000);
  expect(await callsOf(world, order(), 202)).toEqual(["D1 run", ...ordered].toSorted());
});

it("POST jobs adds no trip for a key's budget", async () => {
  const world = quietWorld(START_MS);
  const { secret, assetId } = await warm(world);
  const made = await world.request(
    post(secret, "/api/v1/api-keys", {
      name: "Agency",
      scopes: ["jobs:write"],
      budget: { daily: 4, monthly: 9 },
    }),
  );
  const body = { contractId: "display.v1", selectedSizeIds: SIZE_IDS, assetIds: { logo: assetId } };
  const order = () => post(made.body.data.secret, "/api/v1/jobs", body);
  const afterwards = ["D1 run", "queue sendBatch"];
  // The key's first order reads the key with the preconditions, and records its use.
  const first = ["D1 batch", "D1 batch", "D1 run", "window count", ...afterwards];
  expect(await callsOf(world, order(), 202)).toEqual(first.toSorted());
  expect(await callsOf(world, order(), 202)).toEqual(["D1 batch", "window count", ...afterwards].toSorted());
  // An exhausted budget: one failed attempt on cached preconditions, one read, no write.
  const refused = ["D1 batch", "D1 batch", "D1 first", "D1 first", "window count"];
  expect(await callsOf(world, order(), 402)).toEqual(refused.toSorted());
});

it("an upload makes six database calls with an uncached key, five with a cached one", async () => {
  const world = quietWorld(START_MS);
  const caller = await callerWithLogo(world, {});
  world.restart();
  const d1Calls = async (name: string) => {
    const before = world.calls.length;
    await readyLogo(world, caller, name);
    return world.calls.slice(before).filter((call) => call.startsWith("D1 ")).length;
  };
  world.wait(11_000);
  expect(await d1Calls("cold")).toBe(6);
  expect(await d1Calls("warm")).toBe(5);
});

it("POST jobs/{jobId}/cancel makes one trip, and reads the key", async () => {
  const world = quietWorld(START_MS);
  const { secret, jobId } = await warm(world);
  const cancel = post(secret, `/api/v1/jobs/${jobId}/cancel`);
  for (let time = 0; time < 2; time += 1) {
    // After the answer, reads the deliveries that the job's end created.
    expect(await callsOf(world, cancel, 200)).toEqual(["D1 all", "D1 batch", "D1 first", "window count"]);
  }
});

/** A request and its calls, without those for the rate window and the API key. */
type RouteCalls = readonly [
  method: string,
  path: string,
  status: number,
  calls: readonly string[],
  sent?: Pick<WorldRequest, "body" | "headers">,
];

const IDEMPOTENT = ["lock acquire", "lock release"];
const INTENT = { slotId: "logo", fileName: "a.svg", mimeType: "image/svg+xml", byteLength: LOGO.byteLength };

it("every other route makes the listed trips", async () => {
  const world = quietWorld(START_MS);
  const caller = await callerWithJob(world, { credits: 50 });
  await world.drain();
  const { secret, assetId, jobId } = caller;
  const { artifactId } = (await world.request(get(secret, `/api/v1/jobs/${jobId}`))).body.data;
  const manifest = (await world.request(get(secret, `/api/v1/artifacts/${artifactId}`))).body.data;
  const fileId: string = manifest.files[0].fileId;
  const links = (await world.request(get(secret, `/api/v1/artifacts/${artifactId}/download`))).body.data;
  const linkPath = (url: string) => new URL(url).pathname;
  const intent = await newIntent(world, caller, undefined, "counted");
  const upload = `/api/v1/assets/uploads/${intent.uploadId}`;
  const deleted = (await readyLogo(world, caller, "deleted")).assetId;
  const spare = await world.request(
    post(secret, "/api/v1/api-keys", { name: "Spare", scopes: ["jobs:read"] }),
  );
  world.restart();
  await world.request(get(secret, "/api/v1/balance"));

  const READ = ["window count"];
  /** Reads the pack's row, and the manifest in storage. */
  const MANIFEST = ["D1 first", "R2 get", "R2 body"];
  // Writing routes read their key each time, unless their batch checks it.
  const WRITE = ["D1 first", "window count"];
  /** A file is read once to verify it and once to send it. */
  const FILE = ["R2 get", "R2 body", "R2 get", "R2 body"];
  // A visit counts in the visitor's window and in the link's window.
  const VISIT = [...READ, "window count"];
  const V1 = "/api/v1";
  const pack = `${V1}/artifacts/${artifactId}`;
  const svg = { body: LOGO, headers: { "Content-Type": "image/svg+xml" } };
  const zipped = manifest.files.flatMap(() => FILE);
  const completion = { body: { assetId: intent.assetId, byteLength: LOGO.byteLength } };
  const key = { body: { name: "Counted", scopes: ["jobs:read"] } };
  const putCalls = [...READ, "D1 first", "R2 put", "D1 batch", "R2 delete"];
  const completed = [...READ, ...IDEMPOTENT, "D1 batch", "R2 get", "R2 body", "D1 batch"];
  const crossings: readonly RouteCalls[] = [
    ["GET", `${V1}/usage`, 200, [...READ, "D1 all"]],
    ["GET", `${V1}/usage/summary`, 200, [...READ, "D1 batch"]],
    ["GET", `${V1}/usage/statement`, 200, [...READ, "D1 batch"]],
    ["GET", `${V1}/api-keys`, 200, [...READ, "D1 all"]],
    ["GET", `${V1}/audit`, 200, [...READ, "D1 all", "D1 batch"]],
    ["GET", `${V1}/assets`, 200, [...READ, "D1 all"]],
    ["GET", `${V1}/assets/${assetId}`, 200, [...READ, "D1 first"]],
    ["GET", `${V1}/jobs`, 200, [...READ, "D1 all"]],
    ["GET", pack, 200, [...READ, ...MANIFEST]],
    ["GET", `${pack}/download`, 200, [...READ, ...MANIFEST]],
    ["GET", `${pack}/files/${fileId}/download`, 200, [...READ, "D1 first", ...FILE]],
    ["GET", linkPath(links.files[0].url), 200, [...VISIT, "D1 first", ...FILE]],
    ["GET", linkPath(links.url), 200, [...VISIT, ...MANIFEST, ...zipped]],
    ["POST", `${V1}/assets/uploads`, 201, [...READ, "D1 batch"], { body: INTENT }],
    ["PUT", `${upload}/object`, 204, putCalls, svg],
    ["POST", `${upload}/complete`, 200, completed, completion],
    ["DELETE", `${V1}/assets/${deleted}`, 200, [...WRITE, "D1 batch"]],
    ["POST", `${V1}/api-keys`, 201, [...WRITE, "D1 first", "D1 batch"], key],
    ["DELETE", `${V1}/api-keys/${spare.body.data.apiKeyId}`, 200, [...WRITE, "D1 batch"]],
    // Counted by the preview counters instead of a window.
    ["GET", `${V1}/previews/quota`, 200, ["D1 first"]],
    ["GET", `${V1}/contracts`, 200, []],
    ["GET", "/health", 200, ["D1 first"]],
  ];
  for (const [method, path, status, calls, sent] of crossings) {
    const headers = { "Idempotency-Key": newId(), ...sent?.headers };
    const made = await callsOf(world, { method, path, secret, ...sent, headers }, status);
    expect(made, `${method} ${path}`).toEqual(calls.toSorted());
  }
});
