import { readdir } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { Failure } from "../../scripts/local/failure.ts";
import { atLeastOf, readStressArguments, STRESS_PARTS } from "../../scripts/test/stress/parts.ts";
import { sumFindings } from "../../scripts/test/stress/result.ts";
import { isScaledByHand, partEnvironment, readStressScale } from "../../scripts/test/stress/scale.ts";
import { markOf, missedIn, type Row, tableOf } from "../../scripts/test/stress/table.ts";

const row = (changes: Partial<Row> = {}): Row => ({
  name: "kill",
  title: "Killed processes lose no job",
  result: sumFindings([{ counts: { kills: 12 } }, { counts: { kills: 8 }, lost: 0 }]),
  hasPassed: true,
  isOutOfTime: false,
  atLeast: { kills: 20 },
  durationMs: 61_000,
  ...changes,
});

describe("a part", () => {
  it("passes if it tried enough and lost nothing", () => {
    expect([markOf(row()), missedIn(row())]).toEqual(["pass", []]);
    expect(tableOf([row()])).toMatch(/pass {2}kill.+20 kills +0 +0 +0 +0 +1:01/);
  });

  const WRONG: Readonly<Record<string, Partial<Row>>> = {
    "ended with an error": { hasPassed: false },
    "left no result": { result: null },
    "tried nothing": { result: sumFindings([]) },
    "tried less than the minimum": { result: sumFindings([{ counts: { kills: 19 } }]) },
    "lost something": { result: sumFindings([{ counts: { kills: 20 }, lost: 1 }]) },
    "duplicated something": { result: sumFindings([{ counts: { kills: 20 }, duplicated: 1 }]) },
    "leaked something": { result: sumFindings([{ counts: { kills: 20 }, leaked: 1 }]) },
    "left something hanging": { result: sumFindings([{ counts: { kills: 20 }, hung: 1 }]) },
  };

  it.each(Object.entries(WRONG))("fails if it %s", (_, changes) => {
    expect(markOf(row(changes))).toBe("FAIL");
    expect(tableOf([row(changes)])).toContain("FAIL  kill");
  });
});

describe("a part that had too little time", () => {
  const some = { counts: { kills: 12 }, planned: { kills: 20 } };

  it("shows its progress, and counts neither as passed nor as failed", () => {
    const short = row({ result: sumFindings([some]) });
    expect(markOf(short)).toBe("TIME");
    expect(tableOf([short])).toMatch(/TIME {2}kill.+not finished, 12 of 20 kills/);
    // The same applies if an option has removed the minimum counts.
    expect(markOf({ ...short, atLeast: {} })).toBe("TIME");
  });

  it("fails if it found a fault before its time was over", () => {
    for (const changes of [{ hasPassed: false }, { result: sumFindings([{ ...some, lost: 1 }]) }]) {
      const wrong = row({ result: sumFindings([some]), ...changes });
      expect(markOf(wrong)).toBe("FAIL");
      expect(tableOf([wrong])).not.toContain("not finished");
    }
  });

  it("is reported even if it was killed without a result", () => {
    const ended = row({ result: null, hasPassed: false, isOutOfTime: true });
    expect(markOf(ended)).toBe("TIME");
    expect(tableOf([ended])).toContain("not finished");
  });
});

it("every part of the run has minimum counts, which a full run reaches", () => {
  const scale = readStressScale({ STRESS_SCALE: "full" });
  for (const { name, atLeast } of STRESS_PARTS) expect(Object.keys(atLeast).length, name).toBeGreaterThan(0);
  const least = (part: string, what: string) =>
    STRESS_PARTS.find(({ name }) => name === part)?.atLeast[what] ?? 0;
  expect(least("model-1", "sequences") + least("model-2", "sequences")).toBe(scale.sequences);
  expect(least("kill", "kills")).toBe(scale.kills);
  expect(least("kill", "jobs through kills")).toBe(scale.killJobs);
  expect(scale.mutations).toBeGreaterThanOrEqual(least("bytes", "mutations"));
  expect([scale.commandsMax, scale.crashStride]).toEqual([60, 1]);
});

it("the time limit of a part applies to its tests", () => {
  expect(readStressScale({ STRESS_MINUTES: "120" }).partMsMax).toBe(120 * 60_000);
  for (const part of STRESS_PARTS) {
    const { partMsMax, variables } = partEnvironment(part, {}, 4, 1_000_000);
    const scale = readStressScale(variables);
    expect(partMsMax, part.name).toBe((part.minutesMax ?? 25) * 60_000);
    expect([scale.partMsMax, scale.endsAtMs, scale.shards], part.name).toEqual([
      partMsMax,
      1_000_000 + partMsMax,
      4,
    ]);
  }
});

it("figures that were set by hand are marked as such", () => {
  expect(isScaledByHand({ STRESS_SEED: "7", STRESS_SCALE: "full" })).toBe(false);
  expect(isScaledByHand({ STRESS_KILLS: "1" })).toBe(true);
});

describe("a run with shards", () => {
  it("is selected by an option or the environment, in every part", () => {
    const read = (given: readonly string[], environment = {}) => {
      const { parts, shards } = readStressArguments(given, environment);
      return [parts.map(({ name }) => name), shards];
    };
    expect(read(["crash-1", "kill", "--shards", "4"])).toEqual([["crash-1", "kill"], 4]);
    expect(read([], { SHARDS: "2" })).toEqual([STRESS_PARTS.map(({ name }) => name), 2]);
    expect(read(["kill"])).toEqual([["kill"], 0]);
    expect([readStressScale({ SHARDS: "4" }).shards, readStressScale({}).shards]).toEqual([4, 0]);
    for (const given of [["--shards", "1"], ["--shards", "5"], ["--shards", "x"], ["crash"]]) {
      expect(() => readStressArguments(given, {})).toThrow(Failure);
    }
    expect(() => readStressArguments(["--shard", "2"], {})).toThrow("--shard");
  });

  it("must move workspaces in every part with workspaces", () => {
    const without = STRESS_PARTS.filter((part) => (atLeastOf(part, 4).moves ?? 0) === 0);
    expect(without.map(({ name }) => name)).toEqual(["drain", "move-1", "move-2", "bytes"]);
    for (const part of STRESS_PARTS) expect(atLeastOf(part, 0)).toEqual(part.atLeast);
    for (const part of STRESS_PARTS) expect(atLeastOf(part, 4)).toMatchObject(part.atLeast);
  });
});

it("every file of test/fault is in exactly one crash part", async () => {
  const files = (await readdir("test/fault")).filter((name) => name.endsWith(".test.ts"));
  const crashes = STRESS_PARTS.filter(({ name }) => name.startsWith("crash-"));
  // As in vitest, a filter matches any part of a path.
  const partsOf = (file: string) =>
    crashes.filter(({ paths }) => paths.some((path) => `test/fault/${file}`.includes(path)));
  expect(files.filter((file) => partsOf(file).length !== 1)).toEqual([]);
});
