import { LIMITS } from "#api/limits.ts";
import { PACK_OF_TEN, rowsOfPack } from "../../../bench/pack-of-ten.ts";
import type { BenchFigure } from "../../../bench/report/last-run.ts";
import { WAITS_MS } from "../../../bench/workers/waiting-bindings.ts";

/** Number of calls in one part of a pack's life. */
export interface PartFigures {
  /** Rows written by each sequential database call, including index entries. */
  readonly d1: readonly number[];
  readonly r2Reads: number;
  readonly r2Writes: number;
  readonly objectCalls: number;
  readonly logLines: number;
}

const NOTHING: PartFigures = { d1: [], r2Reads: 0, r2Writes: 0, objectCalls: 0, logLines: 0 };
const part = (figures: Partial<PartFigures>): PartFigures => ({ ...NOTHING, ...figures });
export const sum = (values: Iterable<number>): number => [...values].reduce((all, one) => all + one, 0);

const { oldPackRetentionMs } = LIMITS;
const filesMs = LIMITS.artifactRetentionMs.credits;
const DAY_MS = 86_400_000;
const [created = 0, sent = 0] = PACK_OF_TEN.rowsOfBatches;

export type PackFigures = typeof PACK_FIGURES;

/**
 * Calls, writes and storage of a pack of ten, as counted by test/fault/pack-costs.test.ts and
 * test/fault/pack-figures.long.test.ts.
 */
export const PACK_FIGURES = {
  /** Number of outputs in each message. */
  messages: [4, 4, 2],
  /** `POST /jobs` with warm caches, until its response. */
  request: part({ d1: [created], objectCalls: PACK_OF_TEN.objectRequests, logLines: 1 }),
  /** After the response: sends the messages. */
  dispatch: part({ d1: [sent] }),
  /** One message with any number of outputs: a claim and a completion. */
  message: part({ d1: [1, 1], r2Reads: 2, logLines: 1 }),
  /** Additional calls for each output of a message. */
  output: part({ r2Writes: 1, logLines: 1 }),
  /** Additional calls once per pack: the job starts and ends, and its manifest is written. */
  ending: part({ d1: [rowsOfPack() - created - sent - 3 * 2], r2Writes: 1 }),
  /** After each message and after the pack's end, while the consumer is still busy: looks for due or waiting work. */
  after: part({ d1: [0] }),
  poll: part({ d1: [0], objectCalls: 1, logLines: 1 }),
  /**
   * The customer's three requests: for the manifest, for the links and for the ZIP. Each reads the stored manifest. The
   * ZIP request also reads each file twice, once to verify it and once to send it.
   */
  reading: part({ d1: [0, 0, 0], r2Reads: 3 + 2 * 10, objectCalls: 3, logLines: 3 }),
  /** Later sweeps: delete the files, then the rows. */
  aging: part({ d1: [2, 2, 2] }),
  /** Estimated rows read, far below the 2,500 per pack that the plan includes. */
  d1RowsRead: 200,
  /**
   * Bytes per pack in D1 until its rows are archived (`kept`), and permanently after that; bytes in R2 per output
   * (`file`) and per manifest.
   */
  bytes: { kept: 4_900, afterArchive: 1_450, file: 80_000, manifest: 16_000 },
  /** Days from a pack's end until its files and then its rows are deleted, if the pack was paid by credits. */
  days: { files: filesMs / DAY_MS, rows: (filesMs + oldPackRetentionMs) / DAY_MS },
};

/** The parts of a pack's life except polls and expiry, each with its number of repetitions. */
const partsOf = (figures: PackFigures): readonly (readonly [PartFigures, number])[] => [
  [figures.request, 1],
  [figures.dispatch, 1],
  [figures.message, figures.messages.length],
  [figures.output, sum(figures.messages)],
  [figures.ending, 1],
  [figures.after, figures.messages.length + 1],
  [figures.reading, 1],
];

/** Sums a figure over a whole pack, including a number of polls. */
export const overPack = (figures: PackFigures, of: (part: PartFigures) => number, polls = 0): number =>
  sum(partsOf(figures).map(([one, times]) => of(one) * times)) + of(figures.aging) + polls * of(figures.poll);

/** Times on the platform in ms: CPU, round trips to bindings, and the database's time per call. */
export type ServiceTimes = Readonly<Record<keyof ReturnType<typeof platformTimes>, number>>;

/**
 * Assumed times. CPU times are measured by the benchmark, including the local simulators, so they are upper bounds. So
 * is the database's time per call: the total CPU time of the smallest worker that makes one call. Round trips are those
 * of bench/workers/waiting-bindings.ts.
 */
export function platformTimes(bench: BenchFigure, outputs: number) {
  const requestCpuMs = bench("requests", "POST /jobs", "ours CPU ms");
  return {
    requestCpuMs,
    readCpuMs: bench("requests", "GET /jobs/{id}", "ours CPU ms"),
    outputCpuMs: (bench("cost", "CPU, ms", "a pack") - requestCpuMs) / outputs,
    d1TripMs: WAITS_MS.d1,
    objectTripMs: WAITS_MS.object,
    r2TripMs: WAITS_MS.r2,
    /**
     * Time until a free consumer gets a message. An assumption: the platform publishes no figure. It delivers batches
     * at once (max_batch_timeout 0).
     */
    queueMs: 50,
    d1ReadMs: bench("requests", "baseline: a read", "baseline CPU ms"),
    d1WriteMs: bench("requests", "baseline: a batch", "baseline CPU ms"),
  };
}

/** Times of one pack without queueing, in ms. */
export function packTimes(figures: PackFigures, times: ServiceTimes) {
  const { request, messages, message, output, ending, poll, after } = figures;
  const inDatabase = ({ d1 }: PartFigures): number =>
    sum(d1.map((rows) => (rows === 0 ? times.d1ReadMs : times.d1WriteMs)));
  const calls = (part: PartFigures): number => part.d1.length * times.d1TripMs + inDatabase(part);
  const messagesMs = messages.map(
    (outputs) =>
      calls(message) +
      // Sources are read in parallel; files are written sequentially.
      Math.min(1, message.r2Reads) * times.r2TripMs +
      outputs * (times.outputCpuMs + output.r2Writes * times.r2TripMs + calls(output)),
  );
  const endingMs = ending.r2Writes * times.r2TripMs + calls(ending);
  const toResponseMs = request.objectCalls * times.objectTripMs + times.requestCpuMs + calls(request);
  const toPackMs = toResponseMs + times.queueMs + Math.max(...messagesMs) + endingMs;
  const pollsPerPack = Math.ceil(toPackMs / (LIMITS.jobPollAfterSeconds * 1_000));
  return {
    /** Time from the request to the response of `POST /jobs`; `toPackMs` is the time until the pack is finished. */
    toResponseMs,
    toPackMs,
    /** Average time that a message occupies its consumer. */
    consumerMs:
      (sum(messagesMs) + endingMs + (messages.length + 1) * calls(after)) / messages.length + times.queueMs,
    /** Database time of a pack's calls, including polls. */
    databaseMs:
      sum(partsOf(figures).map(([part, often]) => often * inDatabase(part))) +
      pollsPerPack * inDatabase(poll),
    pollsPerPack,
  };
}
