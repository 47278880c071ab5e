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

/** Something the service does, with what comes before and after it in the outside world. */
export interface Scenario<T extends { readonly workspaceId: string }> {
  /** In the place of the worker's own, where it needs other ones. */
  readonly settings?: Settings;
  /** Makes what the act needs, in a workspace of its own. */
  readonly arrange: (world: World) => Promise<T>;
  /** The act. True when whoever asked for it was told that it is done and will not ask again. */
  readonly act: (world: World, arranged: T) => Promise<boolean>;
  /** What happens anyway: the clock runs, the queue delivers. */
  readonly settle: (world: World, arranged: T) => Promise<void>;
}

/** More often than a client, the queue or the clock would have to. */
const RETRIES_MAX = 5;

/** Any fixed time will do; a round one is easy to read in a failure. */
const START_MS = Date.parse("2030-01-01T00:00:00.000Z");

interface History {
  readonly calls: readonly string[];
  readonly dump: unknown;
  readonly moves: number;
}

/**
 * When the workspace is moved to another database, in a run with shards: before the act, while the first attempt at it finds
 * the workspace announced or without writes, or between the act and what follows.
 */
const MOVE_TIMES = ["before", "announced", "closed", "after"] as const;
type MoveTime = (typeof MOVE_TIMES)[number];

/** Other ones for the same kind of crash at the steps that follow. */
const moveTimeOf = (at: number): MoveTime | null =>
  isOnShards() ? (MOVE_TIMES[(at + Math.floor(at / CRASH_KINDS.length)) % MOVE_TIMES.length] ?? null) : null;

const MINUTE_MS = 60_000;
/** A move sends anew what was open; it is sent, and what waits for its end as well. */
const MINUTES_AFTER_MOVE = 2;

/** What the clock where the workspace lives and the queues do in some minutes, or until a minute has brought nothing. */
async function someMinutes(world: World, workspaceId: string): Promise<void> {
  for (let minute = 0; minute < MINUTES_AFTER_MOVE; minute += 1) {
    world.wait(MINUTE_MS);
    await world.sweepHome(workspaceId);
    if (world.isQuiet) return;
    await world.drain();
    for (const queue of ["deliveries", "imports", "mail"] as const) await world.deliverAll(queue);
  }
}

async function live<T extends { readonly workspaceId: string }>(
  scenario: Scenario<T>,
  crash: Crash | null,
  moveTime: MoveTime | null,
): Promise<History> {
  const world = new World(START_MS, scenario.settings);
  const arranged = await scenario.arrange(world);
  const { workspaceId } = arranged;
  world.about = workspaceId;
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
 * Lives a scenario once undisturbed, then once for each call on a binding and each way in which that call can go
 * wrong; every history must end as the undisturbed one. Gives what was tried, for the table.
 */
export async function crashAtEveryStep<T extends { readonly workspaceId: string }>(
  scenario: Scenario<T>,
): Promise<StressFinding> {
  silenceLogs();
  const undisturbed = await live(scenario, null, null);
  const { crashStride } = stressScale();
  const crashes = undisturbed.calls
    .flatMap((_, step) => CRASH_KINDS.map((kind) => ({ step, kind })))
    .filter((_, at) => at % crashStride === 0);
  let moves = 0;
  for (const [at, crash] of crashes.entries()) {
    const moveTime = moveTimeOf(at);
    const moved = moveTime === null ? "" : `, moved (${moveTime})`;
    const step = `${undisturbed.calls[crash.step]} (step ${crash.step} of ${undisturbed.calls.length}), ${crash.kind}${moved}`;
    const crashed = await live(scenario, crash, moveTime).catch((thrown: unknown) => {
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
