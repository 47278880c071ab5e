import fc from "fast-check";
import { beforeEach, expect, it } from "vitest";
import { freshHistory } from "../fault/fresh-storage.ts";
import { reportStress } from "../stress/report.ts";
import { stressScale } from "../stress/scale.ts";
import { silenceLogs } from "../support/read-logs.ts";
import { runHistory } from "./run-history.ts";
import { anyStep } from "./steps.ts";

/**
 * Random histories of payments, refunds, disputes and cancellations, with crashes and with repeated, late and reordered
 * events. At the end of each, credits must match the money that the provider kept, and plans must be in their last paid
 * period.
 */

const HISTORIES_PER_STORAGE = 25;
const STEPS_MAX = 50;
/** Maximum number of histories tried while shrinking a failing one. */
const SHRINKS_MAX = { quick: 60, full: 400 };
/** Share of the test run's remaining time in which new histories start. */
const SHARE_FOR_HISTORIES = 0.85;

beforeEach(silenceLogs);

it("random histories of events agree with the provider", { timeout: stressScale().partMsMax }, async ({
  task,
}) => {
  const { seed, shards, eventSequences, partMsMax, endsAtMs, isQuick, isEvaluatedByTable } = stressScale();
  const msLeft = endsAtMs === null ? partMsMax : endsAtMs - Date.now();
  const chosenSeed = seed ?? crypto.getRandomValues(new Int32Array(1))[0] ?? 0;
  console.log(`STRESS_SEED=${chosenSeed} STRESS_EVENT_SEQUENCES=${eventSequences} replays these histories`);
  const counts = { "event histories": 0, deliveries: 0, "events told": 0, "deliveries that crashed": 0 };
  const kinds = new Set<string>();
  let moves = 0;
  let begun = 0;
  let disagreed = 0;
  const history = fc.array(anyStep(shards), { minLength: 5, maxLength: STEPS_MAX, size: "max" });
  await fc.assert(
    fc.asyncProperty(history, fc.nat(), async (steps, ending) => {
      // Passes without a run, so that shrinking stops with the shortest failing history so far.
      if (disagreed > (isQuick ? SHRINKS_MAX.quick : SHRINKS_MAX.full)) return;
      if (disagreed > 0) disagreed += 1;
      if (begun % HISTORIES_PER_STORAGE === 0) await freshHistory();
      begun += 1;
      const told = await runHistory(steps, ending).catch((thrown: unknown) => {
        disagreed = Math.max(disagreed, 1);
        throw thrown;
      });
      const { provider, deliveries, crashes } = told;
      moves += await told.countMoves();
      counts["event histories"] += 1;
      counts.deliveries += deliveries;
      counts["events told"] += provider.events.length;
      counts["deliveries that crashed"] += crashes;
      for (const { type } of provider.events) kinds.add(type);
    }),
    {
      seed: chosenSeed,
      numRuns: eventSequences,
      endOnFailure: false,
      interruptAfterTimeLimit: Math.max(1, Math.floor(msLeft * SHARE_FOR_HISTORIES)),
      markInterruptAsFailure: false,
    },
  );
  reportStress(task, {
    counts: { ...counts, "kinds of events": kinds.size, ...(shards > 0 ? { moves } : {}) },
    planned: { "event histories": eventSequences },
  });
  if (!isEvaluatedByTable) expect(counts["event histories"]).toBe(eventSequences);
});
