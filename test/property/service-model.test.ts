import fc from "fast-check";
import { beforeEach, expect, it } from "vitest";
import { freshHistory } from "../fault/fresh-storage.ts";
import { CRASH_KINDS, type Crash } from "../fault/gate.ts";
import { reportStress } from "../stress/report.ts";
import { stressScale } from "../stress/scale.ts";
import { ANNOUNCED_MS, countMoves, LEFT_MS } from "../support/moves.ts";
import { silenceLogs } from "../support/read-logs.ts";
import { claimTrial, createKey, grant, reachAcross, revokeKey } from "./account-commands.ts";
import type { Actor } from "./command.ts";
import { runHistory } from "./history.ts";
import { cancelJob, cancelWhileDelivering, createJob } from "./job-commands.ts";
import type { SentBytes } from "./model.ts";
import { move, moveOn } from "./move-commands.ts";
import { deliver, deliverDeadLetter, loseMessages, sweep, wait } from "./queue-commands.ts";
import { completeUpload, createUpload, deleteAsset, sendBytes } from "./upload-commands.ts";

/**
 * For any sequence of requests, callers and faults, the service's state equals the reference model's, and the
 * invariants of its ledger and pipeline hold after every step.
 */

/**
 * Storage is renewed after this many histories: each creates some twenty objects, which the runtime keeps in memory.
 */
const HISTORIES_PER_STORAGE = 10;

beforeEach(silenceLogs);

const MINUTE_MS = 60_000;
const WAITS_MS = [
  1_000,
  31_000,
  2 * MINUTE_MS,
  11 * MINUTE_MS,
  16 * MINUTE_MS,
  61 * MINUTE_MS,
  25 * 60 * MINUTE_MS,
];

const number = fc.nat({ max: 1_000 });
const actor: fc.Arbitrary<Actor> = fc.record({ workspace: number, key: number });
const key = fc.nat({ max: 30 });
/** Null in one of four cases. A planned crash does not happen if the command has fewer steps. */
const crash: fc.Arbitrary<Crash | null> = fc.option(
  fc.record({ step: fc.nat({ max: 24 }), kind: fc.constantFrom(...CRASH_KINDS) }),
  { freq: 4 },
);
const jobChoice = fc.record({
  key,
  asset: number,
  sizes: fc.integer({ min: 1, max: 3 }),
  from: fc.constantFrom("ready", "ready", "ready", "ready", "own", "foreign"),
});

/** A command that occurs several times in this list is generated more often. */
const COMMANDS = [
  fc.record({ actor, key, fileName: fc.constantFrom("a.svg", "b.svg"), crash }).map(createUpload),
  fc
    .record({ actor, asset: number, sent: fc.constantFrom<SentBytes>("good", "good", "empty", "bad", "bad") })
    .map(sendBytes),
  fc.record({ actor, asset: number, key, crash }).map(completeUpload),
  fc.record({ actor, asset: number }).map(deleteAsset),
  fc.record({ actor, choice: jobChoice, crash }).map(createJob),
  fc.record({ actor, choice: jobChoice, crash }).map(createJob),
  fc.record({ actor, choice: jobChoice, crash }).map(createJob),
  fc.record({ actor, choice: jobChoice, crash }).map(createJob),
  fc.record({ actor, job: number, isForeign: fc.boolean(), crash }).map(cancelJob),
  fc.record({ actor, job: number, isForeign: fc.constant(false), crash }).map(cancelJob),
  fc.record({ actor, job: number, message: number }).map(cancelWhileDelivering),
  fc.record({ message: number, isAgain: fc.boolean(), crash }).map(deliver),
  fc.record({ message: number, isAgain: fc.boolean(), crash }).map(deliver),
  fc.record({ message: number, isAgain: fc.boolean(), crash }).map(deliver),
  fc.record({ message: number, isFresh: fc.boolean() }).map(deliverDeadLetter),
  fc.record({ message: number, isFresh: fc.boolean() }).map(deliverDeadLetter),
  fc.constant(loseMessages({})),
  fc.record({ crash }).map(sweep),
  fc.record({ ms: fc.constantFrom(...WAITS_MS) }).map(wait),
  fc
    .record({ workspace: number, credits: fc.integer({ min: 1, max: 4 }), reference: fc.nat({ max: 3 }) })
    .map(grant),
  fc.record({ actor }).map(createKey),
  fc.record({ actor, revoked: number, isForeign: fc.boolean() }).map(revokeKey),
  fc.record({ marker: fc.nat({ max: 2 }) }).map(claimTrial),
  fc.record({ actor, at: number }).map(reachAcross),
];

/** More steps than a move has, so that some moves are not interrupted. */
const MOVE_STEPS_MAX = 120;
const moveCrash: fc.Arbitrary<Crash | null> = fc.option(
  fc.record({ step: fc.nat({ max: MOVE_STEPS_MAX }), kind: fc.constantFrom(...CRASH_KINDS) }),
  { freq: 2 },
);
const movingOn = fc
  .record({ ms: fc.constantFrom(0, 1_000, ANNOUNCED_MS, LEFT_MS), crash: moveCrash })
  .map(moveOn);

/** Additional commands for runs with shards. */
const MOVES = [
  fc.record({ workspace: number, to: number }).map(move),
  fc.record({ workspace: number, to: number }).map(move),
  ...[movingOn, movingOn, movingOn, movingOn],
];

const commandsOf = (shards: number) => (shards > 0 ? [...COMMANDS, ...MOVES] : COMMANDS);

it("a history that once disagreed with the model agrees", async () => {
  const actor: Actor = { workspace: 0, key: 0 };
  const asset = 1;
  // An upload with bad bytes that expires before inspection counts as expired, not as rejected.
  await freshHistory();
  await runHistory([
    createUpload({ actor, key: 0, fileName: "a.svg", crash: null }),
    sendBytes({ actor, asset, sent: "bad" }),
    wait({ ms: 61 * MINUTE_MS }),
    sweep({ crash: null }),
    completeUpload({ actor, asset, key: 1, crash: null }),
    sendBytes({ actor, asset, sent: "good" }),
  ]);
});

/**
 * Maximum number of histories for shrinking a failure, which takes a few seconds. Without a maximum, a frequent fault
 * would be reported only at the part's time limit.
 */
const SHRINKS_MAX = { quick: 20, full: 300 };

/** Fraction of the part's remaining time in which new histories start. The rest is a reserve for the last history. */
const SHARE_FOR_HISTORIES = 0.85;

it("any history agrees with the model", { timeout: stressScale().partMsMax }, async ({ task }) => {
  const { seed, shard, shards, sequences, commandsMax, partMsMax, endsAtMs, isEvaluatedByTable } =
    stressScale();
  const msLeft = endsAtMs === null ? partMsMax : endsAtMs - Date.now();
  const chosenSeed = (seed ?? crypto.getRandomValues(new Int32Array(1))[0] ?? 0) + shard.index - 1;
  const numRuns = Math.ceil(sequences / shard.total);
  console.log(
    `STRESS_SEED=${chosenSeed} STRESS_SEQUENCES=${numRuns} STRESS_COMMANDS_MAX=${commandsMax} replays these sequences`,
  );
  let commands = 0;
  const ends: Record<string, number> = {};
  let histories = 0;
  let begun = 0;
  /** Number of histories since the first failure, including it. */
  let disagreed = 0;
  let longest = 0;
  let moves = 0;
  const history = fc.commands(commandsOf(shards), { maxCommands: commandsMax, size: "max" });
  await fc.assert(
    fc.asyncProperty(history, fc.boolean(), async (planned, isCrowded) => {
      // Pass without a run, so that shrinking stops with the shortest failure found.
      if (disagreed > (isEvaluatedByTable ? SHRINKS_MAX.full : SHRINKS_MAX.quick)) return;
      if (disagreed > 0) disagreed += 1;
      if (begun % HISTORIES_PER_STORAGE === 0) await freshHistory();
      begun += 1;
      const model = await runHistory(planned, isCrowded).catch((thrown: unknown) => {
        disagreed = Math.max(disagreed, 1);
        throw thrown;
      });
      histories += 1;
      commands += model.commandCount;
      longest = Math.max(longest, model.commandCount);
      moves += await countMoves(model.workspaces.map(({ workspaceId }) => workspaceId));
      for (const { status } of model.workspaces.flatMap(({ jobs }) => jobs)) {
        ends[`jobs ${status}`] = (ends[`jobs ${status}`] ?? 0) + 1;
      }
    }),
    // A failing history is shrunk within the same time limit before it is reported.
    {
      seed: chosenSeed,
      numRuns,
      endOnFailure: false,
      interruptAfterTimeLimit: Math.max(1, Math.floor(msLeft * SHARE_FOR_HISTORIES)),
      markInterruptAsFailure: false,
    },
  );
  const moved = shards > 0 ? { moves } : {};
  const counts = { sequences: histories, commands, "in the longest": longest, ...moved, ...ends };
  reportStress(task, { counts, planned: { sequences: numRuns } });
  // The table of the stress run reports too little time separately from a failure.
  if (!isEvaluatedByTable) expect(histories).toBe(numRuns);
});
