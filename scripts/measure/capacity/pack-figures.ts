import { LIMITS } from "#api/limits.ts";
import { PACK_OF_TEN } from "../../../bench/pack-of-ten.ts";

/** What a part of a pack's life calls. */
export interface PartFigures {
  /** Calls of the database, one after another: the rows that each writes, index entries among them. */
  readonly d1: readonly number[];
  readonly r2Reads: number;
  readonly r2Writes: number;
  readonly objectCalls: number;
  readonly logLines: number;
}

/** What one pack calls, writes and keeps. */
export interface PackFigures {
  /** Outputs of each message; together those of the pack. */
  readonly messages: readonly number[];
  /** `POST /jobs`, warm, until its answer. */
  readonly request: PartFigures;
  /** After the answer: the messages are sent. */
  readonly dispatch: PartFigures;
  /** One message, whatever its outputs. */
  readonly message: PartFigures;
  /** In a message, beside that, for each output. */
  readonly output: PartFigures;
  /** What the last message of a pack does besides. */
  readonly ending: PartFigures;
  /** After each message, and after the pack's end, while the consumer is still busy. */
  readonly afterMessage: PartFigures;
  readonly afterEnding: PartFigures;
  readonly poll: PartFigures;
  /** The manifest, the links and the ZIP, read once each. */
  readonly reading: PartFigures;
  /** What the sweep does of it later: its files go, then its rows. */
  readonly aging: PartFigures;
  /** Rows that all of this reads: not counted, and far from the 2,500 a pack that the plan includes. */
  readonly d1RowsRead: number;
  readonly bytes: {
    /** A finished pack keeps in D1 until its rows leave. */
    readonly kept: number;
    /** What stays of it for good. */
    readonly afterArchive: number;
    /** A file of an output, and the manifest, in R2. */
    readonly file: number;
    readonly manifest: number;
  };
  readonly days: {
    /** Until the files go. */
    readonly files: number;
    /** From its end until its rows go; infinity while they stay. */
    readonly rows: number;
  };
}

const DAY_MS = 86_400_000;
const NOTHING: PartFigures = { d1: [], r2Reads: 0, r2Writes: 0, objectCalls: 0, logLines: 0 };
const [created = 0, sent = 0, ...later] = PACK_OF_TEN.rowsOfBatches;
const finished = later.at(-1) ?? 0;
const ofParts = later.slice(0, -1);
/** Claims and completions; the first claim also starts the job, which is counted with the pack's end. */
const ofOnePart = Math.min(...ofParts);
const ofStart = ofParts.reduce((sum, rows) => sum + rows - ofOnePart, 0);
const OUTPUTS = 10;

/** A pack of ten, as test/fault/pack-costs.test.ts and test/fault/pack-figures.long.test.ts count it. */
export const PACK_FIGURES: PackFigures = {
  messages: [4, 4, 2],
  request: { ...NOTHING, d1: [created], objectCalls: PACK_OF_TEN.objectRequests, logLines: 1 },
  dispatch: { ...NOTHING, d1: [sent] },
  // A claim and a completion.
  message: { ...NOTHING, d1: [ofOnePart, ofOnePart], r2Reads: 2, logLines: 1 },
  output: { ...NOTHING, r2Writes: 1, logLines: 1 },
  ending: { ...NOTHING, d1: [ofStart + finished], r2Writes: PACK_OF_TEN.objectsWritten - OUTPUTS },
  // Deliveries that are due are looked for, and jobs that wait for the place of this one.
  afterMessage: { ...NOTHING, d1: [0] },
  afterEnding: { ...NOTHING, d1: [0] },
  poll: { ...NOTHING, d1: [0], objectCalls: 1, logLines: 1 },
  // Each file of a ZIP is read once to be verified and once to be sent; each of the three requests reads the manifest.
  reading: { ...NOTHING, d1: [0, 0, 0], r2Reads: 3 + 2 * OUTPUTS, objectCalls: 3, logLines: 3 },
  aging: { ...NOTHING, d1: [2, 2, 2] },
  d1RowsRead: 200,
  bytes: { kept: 4_900, afterArchive: 1_450, file: 80_000, manifest: 16_000 },
  days: {
    files: LIMITS.artifactRetentionMs / DAY_MS,
    rows: (LIMITS.artifactRetentionMs + LIMITS.oldPackRetentionMs) / DAY_MS,
  },
};

export interface PackTotals extends Omit<PartFigures, "d1"> {
  readonly d1Rows: number;
  readonly d1Calls: number;
  /** Of these calls, those that write. */
  readonly d1Writes: number;
}

/** Everything that a pack does once, one thing added to another; polls are counted apart. */
export function wholePack(figures: PackFigures): PackTotals {
  const outputs = figures.messages.reduce((sum, count) => sum + count, 0);
  const parts: readonly (readonly [PartFigures, number])[] = [
    [figures.request, 1],
    [figures.dispatch, 1],
    [figures.message, figures.messages.length],
    [figures.output, outputs],
    [figures.ending, 1],
    [figures.afterMessage, figures.messages.length],
    [figures.afterEnding, 1],
    [figures.reading, 1],
    [figures.aging, 1],
  ];
  const sum = (of: (part: PartFigures) => number) =>
    parts.reduce((total, [one, times]) => total + of(one) * times, 0);
  return {
    d1Rows: sum(({ d1 }) => d1.reduce((rows, more) => rows + more, 0)),
    d1Calls: sum(({ d1 }) => d1.length),
    d1Writes: sum(({ d1 }) => d1.filter((rows) => rows > 0).length),
    r2Reads: sum((one) => one.r2Reads),
    r2Writes: sum((one) => one.r2Writes),
    objectCalls: sum((one) => one.objectCalls),
    logLines: sum((one) => one.logLines),
  };
}
