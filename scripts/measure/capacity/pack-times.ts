import { LIMITS } from "#api/limits.ts";
import type { PackFigures, PartFigures } from "./pack-figures.ts";
import type { ServiceTimes } from "./service-times.ts";

/** Times of one pack while nothing queues, in milliseconds. */
export interface PackTimes {
  /** From the request to the response of `POST /jobs`. */
  readonly toResponseMs: number;
  /** From the request until the pack is finished. */
  readonly toPackMs: number;
  /** How long a message occupies its consumer, on average. */
  readonly consumerMs: number;
  /** What the pack's calls, its polls included, take of its database. */
  readonly databaseMs: number;
  readonly pollsPerPack: number;
}

/** Adds up what a pack calls and what each call takes. */
export function packTimes(figures: PackFigures, times: ServiceTimes): PackTimes {
  const { request, dispatch, messages, message, output, ending, reading, poll } = figures;
  const { afterMessage, afterEnding } = figures;
  const inDatabase = ({ d1 }: PartFigures): number =>
    d1.reduce((sum, rows) => sum + (rows === 0 ? times.d1ReadMs : times.d1WriteMs), 0);
  const calls = (part: PartFigures): number => part.d1.length * times.d1TripMs + inDatabase(part);
  const messageMs = (outputs: number): number =>
    calls(message) +
    // Sources are read in parallel, files are written one after another.
    Math.min(1, message.r2Reads) * times.r2TripMs +
    outputs * (times.outputCpuMs + output.r2Writes * times.r2TripMs + calls(output));
  const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
  const endingMs = ending.r2Writes * times.r2TripMs + calls(ending);
  const toResponseMs = request.objectCalls * times.objectTripMs + times.requestCpuMs + calls(request);
  const toPackMs = toResponseMs + times.queueMs + Math.max(...messages.map(messageMs)) + endingMs;
  const pollsPerPack = Math.ceil(toPackMs / (LIMITS.jobPollAfterSeconds * 1_000));
  const afterMs = messages.length * calls(afterMessage) + calls(afterEnding);
  return {
    toResponseMs,
    toPackMs,
    consumerMs: (sumOf(messages.map(messageMs)) + endingMs + afterMs) / messages.length + times.queueMs,
    databaseMs:
      sumOf([request, dispatch, ending, afterEnding, reading].map(inDatabase)) +
      messages.length * (inDatabase(message) + inDatabase(afterMessage)) +
      sumOf(messages) * inDatabase(output) +
      pollsPerPack * inDatabase(poll),
    pollsPerPack,
  };
}
