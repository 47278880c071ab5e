import { beforeAll, expect, it } from "vitest";
import { newId } from "#platform/ids.ts";
import { silenceLogs } from "../support/read-logs.ts";
import { callsOf, get, post } from "./calls-of.ts";
import { callerWithJob, callerWithLogo, newIntent, readyLogo, SIZE_IDS } from "./client.ts";
import { destinationOf, WEBHOOK } from "./deliveries.ts";
import { freshStorage } from "./fresh-storage.ts";
import { LOGO } from "./logo.ts";
import { World, type WorldRequest } from "./world.ts";

/**
 * Guarantee: a request crosses to the database as often as is said here and no more. Each crossing is tens of
 * milliseconds for a caller far away; one that slips in is noticed here, and not in a bill.
 */

beforeAll(freshStorage);
const START_MS = Date.parse("2033-05-01T00:00:00.000Z");

function quietWorld(): World {
  silenceLogs();
  return new World(START_MS);
}

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

it("POST jobs: one to read, one to write, and only that over assets that were just used", async () => {
  const world = quietWorld();
  const { secret, assetId } = await warm(world);
  const body = { contractId: "display.v1", selectedSizeIds: SIZE_IDS, assetIds: { logo: assetId } };
  const create = post(secret, "/api/v1/jobs", body);
  // Messages go out after the answer.
  const afterwards = ["D1 run", "queue sendBatch"];
  expect(await callsOf(world, create, 202)).toEqual(
    ["D1 batch", "D1 batch", "window count", ...afterwards].toSorted(),
  );
  const another = post(secret, "/api/v1/jobs", body);
  expect(await callsOf(world, another, 202)).toEqual(["D1 batch", "window count", ...afterwards].toSorted());
  // With a key that this isolate has not read lately, what an order is decided on is read in one trip with it.
  const apart = { ...create, headers: { "Idempotency-Key": newId() } };
  world.restart();
  world.wait(60_000);
  const cold = ["D1 batch", "D1 batch", "window count", "D1 run", ...afterwards];
  expect(await callsOf(world, apart, 202)).toEqual(cold.toSorted());
  // A replay reads what was made, and the key anew; the first finds by a write that fails that it is one.
  const replay = ["D1 batch", "D1 first", "D1 first", "window count"];
  expect(await callsOf(world, create, 200)).toEqual(["D1 batch", ...replay].toSorted());
  expect(await callsOf(world, create, 200)).toEqual(replay.toSorted());
});

it("POST jobs with notify: no more than without it where anything is read", async () => {
  const world = quietWorld();
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

it("POST jobs with a key that has a budget: no more than without one", async () => {
  const world = quietWorld();
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
  // The first reads its key with what it is decided on, and notes its use.
  const first = ["D1 batch", "D1 batch", "D1 run", "window count", ...afterwards];
  expect(await callsOf(world, order(), 202)).toEqual(first.toSorted());
  expect(await callsOf(world, order(), 202)).toEqual(["D1 batch", "window count", ...afterwards].toSorted());
  // What the budget no longer covers is tried once on what was read before, then read, and refused without a write.
  const refused = ["D1 batch", "D1 batch", "D1 first", "D1 first", "window count"];
  expect(await callsOf(world, order(), 402)).toEqual(refused.toSorted());
});

it("from an upload's intent to its ready asset: six with the read of its key, five without", async () => {
  const world = quietWorld();
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

it("POST jobs/{jobId}/cancel: one, and the read of the key, which writes always make", async () => {
  const world = quietWorld();
  const { secret, jobId } = await warm(world);
  const cancel = post(secret, `/api/v1/jobs/${jobId}/cancel`);
  for (let time = 0; time < 2; time += 1) {
    // After the answer, the deliveries that the end of a job made are looked for.
    expect(await callsOf(world, cancel, 200)).toEqual(["D1 all", "D1 batch", "D1 first", "window count"]);
  }
});

/** A request of each kind, and what it calls besides its window and the read of its key. */
interface Crossing {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly calls: readonly string[];
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

const IDEMPOTENT = ["lock acquire", "lock release"];
const INTENT = { slotId: "logo", fileName: "a.svg", mimeType: "image/svg+xml", byteLength: LOGO.byteLength };

it("every other route: what is said here", async () => {
  const world = quietWorld();
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
  /** A row, and the object that has the rest. */
  const MANIFEST = ["D1 first", "R2 get", "R2 body"];
  // What writes reads its key each time, but for what checks it in the batch that writes.
  const WRITE = ["D1 first", "window count"];
  const crossings: readonly Crossing[] = [
    { method: "GET", path: "/api/v1/usage", status: 200, calls: [...READ, "D1 all"] },
    { method: "GET", path: "/api/v1/usage/summary", status: 200, calls: [...READ, "D1 batch"] },
    { method: "GET", path: "/api/v1/usage/statement", status: 200, calls: [...READ, "D1 batch"] },
    { method: "GET", path: "/api/v1/api-keys", status: 200, calls: [...READ, "D1 all"] },
    { method: "GET", path: "/api/v1/assets", status: 200, calls: [...READ, "D1 all"] },
    { method: "GET", path: `/api/v1/assets/${assetId}`, status: 200, calls: [...READ, "D1 first"] },
    { method: "GET", path: "/api/v1/jobs", status: 200, calls: [...READ, "D1 all"] },
    { method: "GET", path: `/api/v1/artifacts/${artifactId}`, status: 200, calls: [...READ, ...MANIFEST] },
    {
      method: "GET",
      path: `/api/v1/artifacts/${artifactId}/download`,
      status: 200,
      calls: [...READ, ...MANIFEST],
    },
    {
      method: "GET",
      path: `/api/v1/artifacts/${artifactId}/files/${fileId}/download`,
      status: 200,
      // Read once to be checked and once to be sent.
      calls: [...READ, "D1 first", "R2 get", "R2 body", "R2 get", "R2 body"],
    },
    {
      method: "GET",
      path: linkPath(links.files[0].url),
      status: 200,
      // A visitor counts in a window of their own, and in the link's.
      calls: [...READ, "window count", "D1 first", "R2 get", "R2 body", "R2 get", "R2 body"],
    },
    {
      method: "GET",
      path: linkPath(links.url),
      status: 200,
      calls: [
        ...READ,
        "window count",
        ...MANIFEST,
        ...manifest.files.flatMap(() => ["R2 get", "R2 body", "R2 get", "R2 body"]),
      ],
    },
    {
      method: "POST",
      path: "/api/v1/assets/uploads",
      status: 201,
      body: INTENT,
      calls: [...READ, "D1 batch"],
    },
    {
      method: "PUT",
      path: `${upload}/object`,
      status: 204,
      body: LOGO,
      headers: { "Content-Type": "image/svg+xml" },
      calls: [...READ, "D1 first", "R2 put", "D1 batch", "R2 delete"],
    },
    {
      method: "POST",
      path: `${upload}/complete`,
      status: 200,
      body: { assetId: intent.assetId, byteLength: LOGO.byteLength },
      calls: [...READ, ...IDEMPOTENT, "D1 batch", "R2 get", "R2 body", "D1 batch"],
    },
    { method: "DELETE", path: `/api/v1/assets/${deleted}`, status: 200, calls: [...WRITE, "D1 batch"] },
    {
      method: "POST",
      path: "/api/v1/api-keys",
      status: 201,
      body: { name: "Counted", scopes: ["jobs:read"] },
      calls: [...WRITE, "D1 first", "D1 run"],
    },
    {
      method: "DELETE",
      path: `/api/v1/api-keys/${spare.body.data.apiKeyId}`,
      status: 200,
      calls: [...WRITE, "D1 batch"],
    },
    // Its row is counted by no window of ours but asked of the preview counters.
    { method: "GET", path: "/api/v1/previews/quota", status: 200, calls: ["D1 first"] },
    { method: "GET", path: "/api/v1/contracts", status: 200, calls: [] },
    { method: "GET", path: "/health", status: 200, calls: ["D1 first"] },
  ];
  for (const { method, path, status, body, headers, calls } of crossings) {
    const request: WorldRequest = {
      method,
      path,
      secret,
      ...(body === undefined ? {} : { body }),
      headers: { "Idempotency-Key": newId(), ...headers },
    };
    expect(await callsOf(world, request, status), `${method} ${path}`).toEqual(calls.toSorted());
  }
});
