import { describe, expect, it } from "vitest";
import { eventQueue } from "../../scripts/simulate/event-queue.ts";
import { randomOf } from "../../scripts/simulate/random.ts";
import { consumers, line, server } from "../../scripts/simulate/stations.ts";

/**
 * Guarantee: the stations of the simulator wait as queueing theory says they do. Seeds are fixed, so that a run is the
 * same each time; the tolerances are those of so many arrivals.
 */

const ARRIVALS = 200_000;
const SEED = 20_261_123;

/** Mean wait at one server, arrivals by chance. */
function waitAtServer(interMs: number, serviceOf: (mean: number) => number, seed = SEED): number {
  const random = randomOf(seed);
  const one = server();
  let nowMs = 0;
  for (let count = 0; count < ARRIVALS; count += 1) {
    nowMs += random.exponential(interMs);
    one.serve(nowMs, serviceOf(random.uniform()));
  }
  return one.waitedMs() / one.served();
}

/** Mean number waiting before so many consumers, arrivals by chance. */
function lineBefore(count: number, interMs: number, serviceOf: (uniform: number) => number) {
  const random = randomOf(SEED);
  const queue = consumers(count);
  const events = eventQueue();
  const [ARRIVAL, END] = [0, 1];
  const start = (nowMs: number) => events.add(nowMs + serviceOf(random.uniform()), END);
  let arrived = 0;
  events.add(random.exponential(interMs), ARRIVAL);
  let nowMs = 0;
  while (events.size() > 0) {
    nowMs = events.nextMs();
    if (events.take() === ARRIVAL) {
      if (queue.arrive(arrived, nowMs) !== -1) start(nowMs);
      arrived += 1;
      if (arrived < ARRIVALS) events.add(nowMs + random.exponential(interMs), ARRIVAL);
    } else if (queue.end(nowMs) !== -1) start(nowMs);
  }
  return queue.figures(nowMs);
}

const exponential = (mean: number) => (uniform: number) => -mean * Math.log(uniform);
const constant = (mean: number) => () => mean;

/** Erlang's C: how likely an arrival waits in M/M/c, of `load` = λ/μ. */
function erlangC(count: number, load: number): number {
  let blocking = 1;
  for (let server = 1; server <= count; server += 1) {
    blocking = (load * blocking) / (server + load * blocking);
  }
  return blocking / (1 - (load / count) * (1 - blocking));
}

describe("one server", () => {
  it.each([0.3, 0.6, 0.8])("M/M/1 at %d of its capacity: waits ρ/(μ-λ)", (use) => {
    const expected = (use * 10) / (1 - use);
    const waited = waitAtServer(10 / use, exponential(10));
    expect(waited / expected).toBeGreaterThan(0.93);
    expect(waited / expected).toBeLessThan(1.07);
  });

  it.each([0.3, 0.6, 0.8])(
    "M/D/1 at %d of its capacity: waits half of that (Pollaczek and Khinchine)",
    (use) => {
      const expected = (use * 10) / (2 * (1 - use));
      const waited = waitAtServer(10 / use, constant(10));
      expect(waited / expected).toBeGreaterThan(0.93);
      expect(waited / expected).toBeLessThan(1.07);
    },
  );
});

describe("a queue and its consumers", () => {
  it.each([
    [1, 0.7],
    [4, 0.8],
    [20, 0.85],
  ])("M/M/%d at %d of its capacity: as many wait as Erlang says", (count, use) => {
    const load = count * use;
    const expected = (erlangC(count, load) * use) / (1 - use);
    const { waitingMean, busyMean, arrived, ended } = lineBefore(count, 10 / load, exponential(10));
    expect(waitingMean / expected).toBeGreaterThan(0.88);
    expect(waitingMean / expected).toBeLessThan(1.12);
    expect(busyMean / load).toBeCloseTo(1, 1);
    expect(ended).toBe(arrived);
  });

  it.each([
    [1, 0.8],
    [4, 0.8],
    [8, 0.9],
  ])("M/D/%d at %d of its capacity: as many wait as Cosmetatos says (1975)", (count, use) => {
    const load = count * use;
    const markov = (erlangC(count, load) * use) / (1 - use);
    const correction = ((1 - use) * (count - 1) * (Math.sqrt(4 + 5 * count) - 2)) / (16 * use * count);
    const expected = (markov / 2) * (1 + correction);
    const { waitingMean } = lineBefore(count, 10 / load, constant(10));
    expect(waitingMean / expected).toBeGreaterThan(0.93);
    expect(waitingMean / expected).toBeLessThan(1.07);
  });
});

describe("what the stations are made of", () => {
  it("events come in order of time, and of one moment in the order they were added", () => {
    const random = randomOf(SEED);
    const events = eventQueue();
    const added = Array.from({ length: 5_000 }, (_, event) => ({
      atMs: Math.floor(random.uniform() * 500),
      event,
    }));
    for (const { atMs, event } of added) events.add(atMs, event);
    const taken = added.map(() => ({ atMs: events.nextMs(), event: events.take() }));
    expect(taken).toEqual(added.toSorted((one, other) => one.atMs - other.atMs || one.event - other.event));
    expect([events.size(), events.take(), events.nextMs()]).toEqual([0, -1, Number.POSITIVE_INFINITY]);
  });

  it("a line keeps its order while it grows and is emptied", () => {
    const random = randomOf(SEED);
    const items = line();
    const expected: number[] = [];
    for (let item = 0; item < 5_000; item += 1) {
      if (random.uniform() < 0.6) {
        items.push(item);
        expected.push(item);
      } else expect(items.shift()).toBe(expected.shift() ?? -1);
      expect(items.length()).toBe(expected.length);
    }
  });

  it("log-normal times have their mean and variation", () => {
    const random = randomOf(SEED);
    const drawn = Array.from({ length: ARRIVALS }, () => random.logNormal(20, 0.5));
    const mean = drawn.reduce((sum, value) => sum + value, 0) / ARRIVALS;
    const variance = drawn.reduce((sum, value) => sum + (value - mean) ** 2, 0) / ARRIVALS;
    expect(mean).toBeCloseTo(20, 0);
    expect(Math.sqrt(variance) / mean).toBeCloseTo(0.5, 1);
    expect(random.logNormal(20, 0)).toBe(20);
  });
});
