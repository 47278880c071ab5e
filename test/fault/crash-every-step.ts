import { expect, vi } from "vitest";
import type { StressFinding } from "../../scripts/test/stress/result.ts";
import { stressScale } from "../stress/scale.ts";
import { isOnShards } from "../support/homes.ts";
import { expectInvariants } from "../support/jobs.ts";
import { beginMove, closeMove, countMoves, finishMove, moveWhole, workOnMoves } from "../support/moves.ts";
import { silenceLogs } from "../support/read-logs.ts";
import { dumpOf } from "./dump.ts";
import { CRASH_KINDS, type Crash } from "./gate.ts";
import { type Settings, World } from "./world.ts";

/** A scenario: preparation, the act that crashes, and the background work after it. */
export interface Scenario<T extends { readonly workspaceId: string }> {
  /** Overrides of the worker's settings. */
  readonly settings?: Settings;
  /** Prepares the act, in its own workspace. */
  readonly arrange: (world: World) => Promise<T>;
  /** Performs the act. Returns true once the caller has an answer and will not retry. */
  readonly act: (world: World, arranged: T) => Promise<boolean>;
  /** The background work that follows: the sweep runs, and the queue delivers. */
  readonly settle: (world: World, arranged: T) => Promise<void>;
}

/** Maximum number of retries, more than a client, the queue or the sweep needs. */
const RETRIES_MAX = 5;

/** Any fixed time; a round one is easy to read in failures. */
const START_MS = Date.parse("2030-01-01T00:00:00.000Z");

interface History {
  readonly calls: readonly string[];
  readonly dump: unknown;
  readonly moves: number;
}

/**
 * When the workspace moves, in a run with shards: before the act; during the act's first attempt, with the move
 * announced or with writes refused; or after the act.
 */
const MOVE_TIMES = ["before", "announced", "closed", "after"] as const;
type MoveTime = (typeof MOVE_TIMES)[number];

/** When the workspace moves in crash number `at`. Consecutive steps with the same crash kind get different times. */
const moveTimeOf = (at: number): MoveTime | null =>
  isOnShards() ? (MOVE_TIMES[(at + Math.floor(at / CRASH_KINDS.length)) % MOVE_TIMES.length] ?? null) : null;

const MINUTE_MS = 60_000;
/** A move marks open work as unsent. Within these minutes the sweep resends it and any work that depends on it. */
const MINUTES_AFTER_MOVE = 2;

/** Runs the workspace's sweep and the queues each minute, for at most two minutes or until nothing is open. */
async function someMinutes(world: World, workspaceId: string): Promise<void> {
  for (let minute = 0; minute < MINUTES_AFTER_MOVE; minute += 1) {
    world.wait(MINUTE_MS);
    await world.sweepHome(workspaceId);
    if (world.isQuiet) return;
    await world.drain();
    for (const queue of ["deliveries", "imports", "mail"] as const) await world.deliverAll(queue);
  }
}

async function runScenario<T extends { readonly workspaceId: string }>(
  scenario: Scenario<T>,
  crash: Crash | null,
  moveTime: MoveTime | null,
): Promise<History> {
  const world = new World(START_MS, scenario.settings);
  const arranged = await scenario.arrange(world);
  const { workspaceId } = arranged;
  world.workspaceUnderTest = workspaceId;
  const wait = (ms: number) => world.wait(ms);
  if (moveTime === "before") await moveWhole(workspaceId, wait);
  if (moveTime === "announced" || moveTime === "closed") await beginMove(workspaceId);
  if (moveTime === "announced") await workOnMoves();
  if (moveTime === "closed") await closeMove(workspaceId, wait);
  if (crash === null) world.restart();
  else world.crash(crash);
  const wasAcknowledged = await scenario.act(world, arranged);
  const { calls, isDead } = world;
  world.restart();
  await finishMove(workspaceId, wait);
  let isAcknowledged = wasAcknowledged && !isDead;
  for (let retry = 0; !isAcknowledged; retry += 1) {
    if (retry === RETRIES_MAX) throw new Error("the act is never acknowledged");
    isAcknowledged = await scenario.act(world, arranged);
  }
  if (moveTime === "after") await moveWhole(workspaceId, wait);
  if (isOnShards()) await someMinutes(world, workspaceId);
  await scenario.settle(world, arranged);
  await expectInvariants(workspaceId);
  return { calls, dump: await dumpOf(workspaceId), moves: await countMoves([workspaceId]) };
}

/**
 * Runs a scenario once undisturbed, then once for each call to a binding and each crash kind. After each crash, the end
 * state must equal that of the undisturbed run. Returns the counts for the stress table.
 */
export async function crashAtEveryStep<T extends { readonly workspaceId: string }>(
  scenario: Scenario<T>,
): Promise<StressFinding> {
  silenceLogs();
  const undisturbed = await runScenario(scenario, null, null);
  const { crashStride } = stressScale();
  const crashes = undisturbed.calls
    .flatMap((_, step) => CRASH_KINDS.map((kind) => ({ step, kind })))
    .filter((_, at) => at % crashStride === 0);
  let moves = 0;
  for (const [at, crash] of crashes.entries()) {
    const moveTime = moveTimeOf(at);
    const moved = moveTime === null ? "" : `, moved (${moveTime})`;
    const step = `${undisturbed.calls[crash.step]} (step ${crash.step} of ${undisturbed.calls.length}), ${crash.kind}${moved}`;
    const crashed = await runScenario(scenario, crash, moveTime).catch((thrown: unknown) => {
      throw new Error(`after ${step}: ${thrown instanceof Error ? thrown.message : thrown}`, {
        cause: thrown,
      });
    });
    expect(crashed.dump, `the end after ${step}`).toEqual(undisturbed.dump);
    moves += crashed.moves;
  }
  vi.restoreAllMocks();
  const counts = { steps: undisturbed.calls.length, crashes: crashes.length };
  return { counts: isOnShards() ? { ...counts, moves } : counts };
}
