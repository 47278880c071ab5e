import { env } from "cloudflare:workers";
import { beforeAll, expect, it } from "vitest";
import { PACK_OF_TEN, packPrice } from "../../bench/pack-of-ten.ts";
import { keptBytesOfPack } from "../support/kept-bytes.ts";
import { silenceLogs } from "../support/read-logs.ts";
import { callerWithLogo, newPackOfTen } from "./client.ts";
import { freshStorage } from "./fresh-storage.ts";
import { World } from "./world.ts";

/**
 * Guarantee: a pack of ten writes as much as is said in `bench/pack-of-ten.ts`, index entries included, and no more; so the
 * price of a thousand outputs is known. A column, an index or a write that slips in is noticed here, and not in a bill.
 */

beforeAll(freshStorage);
const START_MS = Date.parse("2033-05-01T00:00:00.000Z");

it("writes so many rows in so many batches, reads and writes so many objects, and keeps so many bytes", async () => {
  silenceLogs();
  const world = new World(START_MS);
  const caller = await callerWithLogo(world, { credits: 100 });
  // The first of a day, a month and a key begins their sums.
  await newPackOfTen(world, caller, "first");
  await world.drain();
  const [written, calls] = [world.written.length, world.calls.length];
  const jobId = await newPackOfTen(world, caller, "counted");
  await world.drain();

  const batches = world.written.slice(written);
  const rows = batches.map((statements) => statements.reduce((sum, statement) => sum + statement.rows, 0));
  const objects = world.calls.slice(calls);
  const countOf = (call: string) => objects.filter((made) => made === call).length;
  const kept = await keptBytesOfPack(jobId);
  expect({
    // Created, sent; each of three parts claimed (the first starts the job) and completed; finished.
    batches: rows,
    messages: countOf("queue sendBatch"),
    objectsWritten: countOf("R2 put"),
    objectsRead: countOf("R2 get"),
  }).toEqual({
    batches: PACK_OF_TEN.rowsOfBatches,
    messages: 1,
    objectsWritten: PACK_OF_TEN.objectsWritten,
    // One picture for each part.
    objectsRead: 3,
  });
  expect(rows.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(45);
  expect(rows.length).toBeLessThanOrEqual(9);
  expect(kept.sum, JSON.stringify(kept.byName)).toBeLessThanOrEqual(6_000);
  expect(await env.DB.prepare("SELECT COUNT(*) AS count FROM job_parts").first("count")).toBe(0);
});

it("costs at most $0.012 for a thousand outputs, at the CPU that the bench has measured", () => {
  expect(packPrice(PACK_OF_TEN.cpuMsMeasured) * 100).toBeLessThanOrEqual(0.012);
});
