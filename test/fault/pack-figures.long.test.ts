import { beforeAll, expect, it } from "vitest";
import { PACK_FIGURES, type PartFigures } from "../../scripts/measure/capacity/pack.ts";
import { keptBytesOfPack } from "../support/kept-bytes.ts";
import { silenceLogs } from "../support/read-logs.ts";
import { callerWithLogo, newPackOfTen } from "./client.ts";
import { freshStorage } from "./fresh-storage.ts";
import { World } from "./world.ts";

beforeAll(freshStorage);
const START_MS = Date.parse("2033-05-01T00:00:00.000Z");
const DAY_MS = 86_400_000;

/** Calls of each binding, and the rows written by each database call. */
interface Counted {
  readonly d1: number;
  readonly rows: readonly number[];
  readonly r2Reads: number;
  readonly r2Writes: number;
  readonly objectCalls: number;
}

async function count(world: World, work: () => Promise<unknown>): Promise<Counted> {
  const [calls, written] = [world.calls.length, world.written.length];
  await work();
  const made = world.calls.slice(calls);
  const countOf = (...names: readonly string[]) => made.filter((call) => names.includes(call)).length;
  return {
    d1: made.filter((call) => call.startsWith("D1 ")).length,
    rows: world.written
      .slice(written)
      .map((statements) => statements.reduce((sum, { rows }) => sum + rows, 0)),
    r2Reads: countOf("R2 get"),
    r2Writes: countOf("R2 put"),
    objectCalls: countOf("window count"),
  };
}

/** The calls that the capacity estimate expects for these parts, each with its number of repetitions. */
function expected(...parts: readonly (readonly [part: PartFigures, times: number])[]): Counted {
  const sum = (of: (part: PartFigures) => number) =>
    parts.reduce((total, [part, times]) => total + of(part) * times, 0);
  return {
    d1: sum(({ d1 }) => d1.length),
    rows: parts.flatMap(([{ d1 }, times]) =>
      Array.from({ length: times }, () => d1.filter((rows) => rows > 0)).flat(),
    ),
    r2Reads: sum(({ r2Reads }) => r2Reads),
    r2Writes: sum(({ r2Writes }) => r2Writes),
    objectCalls: sum(({ objectCalls }) => objectCalls),
  };
}

const total = ({ rows, ...rest }: Counted) => ({ ...rest, rows: rows.reduce((sum, each) => sum + each, 0) });

it("a pack of ten matches the capacity estimate (`scripts/measure/capacity/pack.ts`)", async () => {
  silenceLogs();
  const world = new World(START_MS);
  const caller = await callerWithLogo(world, { credits: 100 });
  // The first job of a day, month and key inserts the rows of their sums, so it is not counted.
  await newPackOfTen(world, caller, "first");
  await world.drain();
  const { request, dispatch, message, output, ending, after, poll, messages, aging, bytes } = PACK_FIGURES;

  let jobId = "";
  const accepted = await count(world, async () => {
    jobId = await newPackOfTen(world, caller, "counted");
  });
  expect(accepted).toEqual(expected([request, 1], [dispatch, 1]));
  const drawn = await count(world, () => world.drain());
  const said = total(
    expected([message, messages.length], [output, 10], [ending, 1], [after, messages.length + 1]),
  );
  // The benchmark's pack has a photo besides the logo, so each of its messages reads one more object.
  expect(total(drawn)).toEqual({ ...said, r2Reads: said.r2Reads - messages.length });
  const kept = (await keptBytesOfPack(jobId)).sum;
  expect(kept).toBeLessThanOrEqual(bytes.kept);
  expect(kept).toBeGreaterThan(0.9 * bytes.kept);

  const read = (path: string) => world.request({ method: "GET", path, secret: caller.secret });
  expect(await count(world, () => read(`/api/v1/jobs/${jobId}`))).toEqual(expected([poll, 1]));

  // Two packs expire: the first one and the counted one.
  const before = world.written.length;
  for (const days of [31, 1, 33, 1]) {
    world.wait(days * DAY_MS);
    await world.sweep();
  }
  const swept = world.written
    .slice(before)
    .flat()
    .filter(({ sql }) => /^update "(?:artifacts|jobs)"/.test(sql))
    .reduce((sum, { rows }) => sum + rows, 0);
  expect(swept / 2).toBe(aging.d1.reduce((sum, rows) => sum + rows, 0));
  const left = (await keptBytesOfPack(jobId)).sum;
  expect(left).toBeLessThanOrEqual(bytes.afterArchive);
  expect(left).toBeGreaterThan(0.9 * bytes.afterArchive);
});
