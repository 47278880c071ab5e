import { readFileSync } from "node:fs";
import { z } from "zod";
import { inRoot } from "../local/paths.ts";

/** The rows of one call that writes, entries of indexes among them; a call that only reads writes none. */
const calls = z.array(z.int().min(0));

/** What a part of a pack's life does. */
const part = z.strictObject({
  /** Calls of the database, one after another: the rows that each writes. */
  d1: calls,
  /** Rows that these calls read together. */
  d1RowsRead: z.int().min(0),
  r2Reads: z.int().min(0),
  r2Writes: z.int().min(0),
  objectCalls: z.int().min(0),
  logLines: z.int().min(0),
});

const packFigures = z.strictObject({
  /** Outputs of each message; together those of the pack. */
  messages: z.array(z.int().min(1)).min(1),
  /** `POST /jobs`, warm, until its answer. */
  request: part,
  /** After the answer: the messages are sent. */
  dispatch: part,
  /** One message, whatever its outputs. */
  message: part,
  /** In a message, beside that, for each output. */
  output: part,
  /** What the last message of a pack does besides. */
  ending: part,
  poll: part,
  /** The manifest and the ZIP, read once. */
  reading: part,
  bytes: z.strictObject({
    /** A finished pack keeps in D1 until its rows leave. */
    kept: z.int().min(0),
    /** What stays of it for good. */
    afterArchive: z.int().min(0),
    /** A file of an output in R2. */
    file: z.int().min(0),
    /** The manifest in R2. */
    manifest: z.int().min(0),
  }),
  days: z.strictObject({
    /** Until the files go. */
    files: z.int().min(1),
    /** After that, until the rows go; null while they stay. */
    archiveAfterFiles: z.int().min(0).nullable(),
  }),
});

export type PartFigures = z.infer<typeof part>;
/** The counts of one pack's life, as test/fault/pack-figures.test.ts holds them against the service. */
export type PackFigures = z.infer<typeof packFigures>;

export const readPackFigures = (path = inRoot("scripts/simulate/pack-figures.json")): PackFigures =>
  packFigures.parse(JSON.parse(readFileSync(path, "utf8")));

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
    [figures.reading, 1],
  ];
  const sum = (of: (part: PartFigures) => number) =>
    parts.reduce((total, [one, times]) => total + of(one) * times, 0);
  return {
    d1Rows: sum(({ d1 }) => d1.reduce((rows, more) => rows + more, 0)),
    d1Calls: sum(({ d1 }) => d1.length),
    d1Writes: sum(({ d1 }) => d1.filter((rows) => rows > 0).length),
    d1RowsRead: sum((one) => one.d1RowsRead),
    r2Reads: sum((one) => one.r2Reads),
    r2Writes: sum((one) => one.r2Writes),
    objectCalls: sum((one) => one.objectCalls),
    logLines: sum((one) => one.logLines),
  };
}
