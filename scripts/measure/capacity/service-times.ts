import { readFileSync } from "node:fs";
import { z } from "zod";
import { WAITS_MS } from "../../../bench/workers/waiting-bindings.ts";
import { Failure } from "../../local/failure.ts";
import { inRoot } from "../../local/paths.ts";

/** How long things take on the platform, in ms. */
export interface ServiceTimes {
  /** CPU of `POST /jobs`, of a read, and of a message for each of its outputs. */
  readonly requestCpuMs: number;
  readonly readCpuMs: number;
  readonly outputCpuMs: number;
  /** The way to a database, an object and a bucket, and back. */
  readonly d1TripMs: number;
  readonly objectTripMs: number;
  readonly r2TripMs: number;
  /** From a message's sending until a consumer that is free has it. */
  readonly queueMs: number;
  /** What a database needs for a call that reads, and for one that writes. */
  readonly d1ReadMs: number;
  readonly d1WriteMs: number;
}

const lastRun = z.object({
  cases: z.array(
    z.object({
      id: z.string(),
      result: z
        .object({
          rows: z.array(
            z.object({ label: z.string(), figures: z.record(z.string(), z.number().nullable()) }),
          ),
        })
        .nullable(),
    }),
  ),
});

/** The bench's last run, which `npm run bench -- --write` and `--keep` leave there. */
const LAST_RUN = "bench/last-run.json";

/** A figure of the bench's last run. */
export type BenchFigure = (id: string, label: string, heading: string) => number;

/** Throws a Failure where a figure is missing. */
export function readLastRun(): BenchFigure {
  const { cases } = lastRun.parse(JSON.parse(readFileSync(inRoot(LAST_RUN), "utf8")));
  return (id, label, heading) => {
    const rows = cases.find((one) => one.id === id)?.result?.rows;
    const figure = rows?.find((row) => row.label === label)?.figures[heading];
    if (typeof figure === "number") return figure;
    throw new Failure(
      `${LAST_RUN} has no "${heading}" of "${label}"; run: npm run bench -- --only ${id} --keep`,
    );
  };
}

/** Of a queue whose consumers are free: the platform publishes none, and gives batches at once (max_batch_timeout 0). */
const QUEUE_MS = 50;

/**
 * The platform's times. CPU is what the bench measured of this service, the local simulators included, so rather more than
 * the platform's; so is a database's call: the whole CPU of the smallest worker that makes one. Trips are those of
 * bench/workers/waiting-bindings.ts.
 */
export function platformTimes(bench: BenchFigure, outputs: number): ServiceTimes {
  const requestCpuMs = bench("requests", "POST /jobs", "ours CPU ms");
  return {
    requestCpuMs,
    readCpuMs: bench("requests", "GET /jobs/{id}", "ours CPU ms"),
    outputCpuMs: (bench("cost", "CPU, ms", "a pack") - requestCpuMs) / outputs,
    d1TripMs: WAITS_MS.d1,
    objectTripMs: WAITS_MS.object,
    r2TripMs: WAITS_MS.r2,
    queueMs: QUEUE_MS,
    d1ReadMs: bench("requests", "baseline: a read", "baseline CPU ms"),
    d1WriteMs: bench("requests", "baseline: a batch", "baseline CPU ms"),
  };
}
