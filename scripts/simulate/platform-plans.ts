import type { PackFigures, PartFigures } from "./pack-figures.ts";
import { joined, type PackPlans, type Step } from "./plans.ts";
import type { ServiceTimes } from "./service-times.ts";

/** The life of a pack on the platform: what it calls, as it is counted, and what each call takes, as it was measured. */
export function platformPlans(figures: PackFigures, times: ServiceTimes): PackPlans {
  const calls = (part: PartFigures): readonly Step[] => part.d1.map((rows) => d1Step(rows, times));
  const r2 = (trips: number): readonly Step[] => (trips === 0 ? [] : [away(trips * times.r2TripMs)]);
  const cpu = (ms: number): Step => ({ ...away(0), serviceMs: ms, variation: times.cpuVariation });
  const objects = ({ objectCalls }: PartFigures): readonly Step[] =>
    objectCalls === 0 ? [] : [away(objectCalls * times.objectTripMs)];
  const { request, dispatch, message, output, ending, reading, poll, afterMessage, afterEnding } = figures;
  // No pack waits for these, but the next message does.
  const after = afterMessage.d1.length * figures.messages.length + afterEnding.d1.length;
  return {
    request: joined([...objects(request), cpu(times.requestCpuMs), ...calls(request)]),
    // What is written of the sending, no message waits for.
    dispatch: joined([...calls(dispatch).map((step) => ({ ...step, delayMs: 0 })), away(times.queueMs)]),
    messages: figures.messages.map((outputs) =>
      joined([
        ...calls(message),
        // A message's sources are read side by side; its files are written one after another.
        ...r2(Math.min(1, message.r2Reads)),
        cpu(outputs * times.outputCpuMs),
        ...Array.from({ length: outputs }, () => [...r2(output.r2Writes), ...calls(output)]).flat(),
      ]),
    ),
    ending: joined([...r2(ending.r2Writes), ...calls(ending)]),
    handoverMs: times.queueMs + (after / figures.messages.length) * times.d1TripMs,
    pollMs: poll.d1.length * times.d1ReadMs,
    pollEveryMs: POLL_EVERY_MS,
    readMs: (reading.d1.length + after) * times.d1ReadMs,
  };
}

/** What the answer to a poll says (`jobPollAfterSeconds` of src/api/limits.ts). */
const POLL_EVERY_MS = 2_000;

const away = (delayMs: number): Step => ({ delayMs, place: "isolate", serviceMs: 0, variation: 0 });

const d1Step = (rows: number, times: ServiceTimes): Step => ({
  delayMs: times.d1TripMs,
  place: "shard",
  serviceMs: rows === 0 ? times.d1ReadMs : times.d1WriteMs,
  variation: times.d1Variation,
});
