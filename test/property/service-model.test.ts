import fc from "fast-check";
import { beforeEach, expect, it, vi } from "vitest";
import { freshStorage } from "../fault/fresh-storage.ts";
import { CRASH_KINDS, type Crash } from "../fault/gate.ts";
import { silenceLogs } from "../support/read-logs.ts";
import { reportTrust } from "../trust/report.ts";
import { trustScale } from "../trust/scale.ts";
import { ClaimTrial, CreateKey, Grant, ReachAcross, RevokeKey } from "./account-commands.ts";
import type { Actor } from "./command.ts";
import { runHistory } from "./history.ts";
import { CancelJob, CancelWhileDelivering, CreateJob } from "./job-commands.ts";
import { Deliver, DeliverDeadLetter, LoseMessages, Sweep, Wait } from "./queue-commands.ts";
import { CompleteUpload, CreateUpload, DeleteAsset, SendBytes } from "./upload-commands.ts";

/**
 * Guarantee: whatever is asked of the service, in whatever order, by whom, and whatever breaks on the way, it
 * holds what a plain reference model holds, and the promises of its ledger and pipeline after every step.
 */

/** Each history makes some twenty objects, and the runtime keeps them in memory until they are deleted. */
const HISTORIES_PER_STORAGE = 10;

/** Forgets the histories before, in storage and in what the mocks have recorded. */
async function emptyEverything(): Promise<void> {
  await freshStorage();
  vi.clearAllMocks();
}

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
/** Mostly none. Beyond the last step of what it stands in, it never happens. */
const crash: fc.Arbitrary<Crash | null> = fc.option(
  fc.record({ step: fc.nat({ max: 24 }), kind: fc.constantFrom(...CRASH_KINDS) }),
  { freq: 4 },
);
const jobChoice = fc.record({
  key,
  asset: number,
  sizes: fc.integer({ min: 1, max: 3 }),
  from: fc.constantFrom("ready", "ready", "ready", "ready", "own", "foreign"),
  isDrawable: fc.constantFrom(true, true, true, true, false),
});

/** How often each kind of command stands here is how often it comes. */
const COMMANDS = [
  fc.tuple(actor, key, fc.constantFrom("a.svg", "b.svg"), crash).map((made) => new CreateUpload(...made)),
  fc.tuple(actor, number, fc.boolean()).map((made) => new SendBytes(...made)),
  fc.tuple(actor, number, key, crash).map((made) => new CompleteUpload(...made)),
  fc.tuple(actor, number).map((made) => new DeleteAsset(...made)),
  fc.tuple(actor, jobChoice, crash).map((made) => new CreateJob(...made)),
  fc.tuple(actor, jobChoice, crash).map((made) => new CreateJob(...made)),
  fc.tuple(actor, jobChoice, crash).map((made) => new CreateJob(...made)),
  fc.tuple(actor, jobChoice, crash).map((made) => new CreateJob(...made)),
  fc.tuple(actor, number, fc.boolean(), crash).map((made) => new CancelJob(...made)),
  fc.tuple(actor, number, fc.constant(false), crash).map((made) => new CancelJob(...made)),
  fc.tuple(actor, number, number).map((made) => new CancelWhileDelivering(...made)),
  fc.tuple(number, fc.boolean(), crash).map((made) => new Deliver(...made)),
  fc.tuple(number, fc.boolean(), crash).map((made) => new Deliver(...made)),
  fc.tuple(number, fc.boolean(), crash).map((made) => new Deliver(...made)),
  fc.tuple(number, fc.boolean()).map((made) => new DeliverDeadLetter(...made)),
  fc.tuple(number, fc.boolean()).map((made) => new DeliverDeadLetter(...made)),
  fc.constant(new LoseMessages()),
  crash.map((planned) => new Sweep(planned)),
  fc.constantFrom(...WAITS_MS).map((ms) => new Wait(ms)),
  fc.tuple(number, fc.integer({ min: 1, max: 4 }), fc.nat({ max: 3 })).map((made) => new Grant(...made)),
  actor.map((by) => new CreateKey(by)),
  fc.tuple(actor, number, fc.boolean()).map((made) => new RevokeKey(...made)),
  fc.nat({ max: 2 }).map((marker) => new ClaimTrial(marker)),
  fc.tuple(actor, number).map((made) => new ReachAcross(...made)),
];

it("a history that once disagreed with the model agrees", async () => {
  const first: Actor = { workspace: 0, key: 0 };
  const last = 1;
  // Bytes that were never looked at before the upload's time was over: it expired, and nobody refused them.
  await emptyEverything();
  await runHistory([
    new CreateUpload(first, 0, "a.svg", null),
    new SendBytes(first, last, false),
    new Wait(61 * MINUTE_MS),
    new Sweep(null),
    new CompleteUpload(first, last, 1, null),
    new SendBytes(first, last, true),
  ]);
});

/**
 * Histories tried to make one that disagrees shorter: a few seconds' worth. Without an end, a fault that any history
 * meets is shown only when the part's time is over.
 */
const SHRINKS_MAX = { quick: 20, full: 300 };

/** Of the time that a part still has when it has started, what its histories may take; the rest is for its end. */
const SHARE_FOR_HISTORIES = 0.85;

it("any history agrees with the model", { timeout: trustScale().partMsMax }, async ({ task }) => {
  const { seed, shard, sequences, commandsMax, partMsMax, endsAtMs, isEvaluatedByTable } = trustScale();
  const msLeft = endsAtMs === null ? partMsMax : endsAtMs - Date.now();
  const chosenSeed = (seed ?? crypto.getRandomValues(new Int32Array(1))[0] ?? 0) + shard.index - 1;
  const numRuns = Math.ceil(sequences / shard.total);
  console.log(
    `TRUST_SEED=${chosenSeed} TRUST_SEQUENCES=${numRuns} TRUST_COMMANDS_MAX=${commandsMax} replays these sequences`,
  );
  let commands = 0;
  const ends: Record<string, number> = {};
  let histories = 0;
  let begun = 0;
  /** Histories run since the first that disagreed, itself included. */
  let disagreed = 0;
  let longest = 0;
  const history = fc.commands(COMMANDS, { maxCommands: commandsMax, size: "max" });
  await fc.assert(
    fc.asyncProperty(history, async (planned) => {
      // Taken for agreeing, so that shrinking comes to its end with the shortest that was found.
      if (disagreed > (isEvaluatedByTable ? SHRINKS_MAX.full : SHRINKS_MAX.quick)) return;
      if (disagreed > 0) disagreed += 1;
      if (begun % HISTORIES_PER_STORAGE === 0) await emptyEverything();
      begun += 1;
      const model = await runHistory(planned).catch((thrown: unknown) => {
        disagreed = Math.max(disagreed, 1);
        throw thrown;
      });
      histories += 1;
      commands += model.commandCount;
      longest = Math.max(longest, model.commandCount);
      for (const { status } of model.workspaces.flatMap(({ jobs }) => jobs)) {
        ends[`jobs ${status}`] = (ends[`jobs ${status}`] ?? 0) + 1;
      }
    }),
    // A history that disagrees is made shorter before it is shown, within the same time.
    {
      seed: chosenSeed,
      numRuns,
      endOnFailure: false,
      interruptAfterTimeLimit: Math.max(1, Math.floor(msLeft * SHARE_FOR_HISTORIES)),
      markInterruptAsFailure: false,
    },
  );
  const counts = { sequences: histories, commands, "in the longest": longest, ...ends };
  reportTrust(task, { counts, planned: { sequences: numRuns } });
  // The table tells a run that had too little time from one that disagreed.
  if (!isEvaluatedByTable) expect(histories).toBe(numRuns);
});
