import { env } from "cloudflare:workers";
import { beforeAll, expect, it } from "vitest";
import { PACK_OF_TEN, packPrice } from "../../bench/pack-of-ten.ts";
import { keptBytesOfPack } from "../support/kept-bytes.ts";
import { silenceLogs } from "../support/read-logs.ts";
import { callerWithLogo, newPackOfTen } from "./client.ts";
import { freshStorage } from "./fresh-storage.ts";
import { World } from "./world.ts";

/**
 * The writes and stored bytes of a pack of ten, including index entries, are exactly those of `bench/pack-of-ten.ts`,
 * from which the cost of a thousand outputs is computed.
 */

beforeAll(freshStorage);
const START_MS = Date.parse("2033-05-01T00:00:00.000Z");

it("a pack of ten has the expected writes, batches, objects and stored bytes", async () => {
  silenceLogs();
  const world = new World(START_MS);
  const caller = await callerWithLogo(world, { credits: 100 });
  // The first job of a day, month and key inserts the rows of their sums, so it is not counted.
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
    // The writes in order: job created; messages sent; three parts claimed (the first starts the job) and completed;
    // job finished.
    batches: rows,
    messages: countOf("queue sendBatch"),
    objectsWritten: countOf("R2 put"),
    objectsRead: countOf("R2 get"),
  }).toEqual({
    batches: PACK_OF_TEN.rowsOfBatches,
    messages: 1,
    objectsWritten: PACK_OF_TEN.objectsWritten,
    // Each part reads the logo once.
    objectsRead: 3,
  });
  expect(rows.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(45);
  expect(rows.length).toBeLessThanOrEqual(9);
  expect(kept.sum, JSON.stringify(kept.byName)).toBeLessThanOrEqual(6_000);
  expect(await env.DB.prepare("SELECT COUNT(*) AS count FROM job_parts").first("count")).toBe(0);
});

it("a thousand outputs cost at most $0.012 at the benchmark's CPU time", () => {
  expect(packPrice(PACK_OF_TEN.cpuMsMeasured) * 100).toBeLessThanOrEqual(0.012);
});
