import { setTimeout as delay } from "node:timers/promises";
import { OPEN_PASSES } from "#platform/databases/copy-position.ts";
import type { Databases } from "#platform/databases/databases.ts";
import { LEFT_MS_MIN } from "#platform/databases/leave-database.ts";
import { type Move, openMoves } from "#platform/databases/move-store.ts";
import type { LocalService } from "./local-service.ts";
import { untilServed } from "./mover.ts";

/** Kills the process of a service at chosen times of moves, and starts it again. */

/**
 * The phases in which a move writes, and how long after one was seen the process is killed at most, in milliseconds: about as
 * long as it takes far from the databases, so that kills come anywhere in it and some in the next.
 */
const PHASE_MS = { asked: 400, copying: 600, comparing: 1_000, opening: 300, emptying: 300 } as const;
type KilledPhase = keyof typeof PHASE_MS;

const PHASES: readonly KilledPhase[] = ["asked", "copying", "comparing", "opening", "emptying"];
const isKilledPhase = (phase: string): phase is KilledPhase => PHASES.some((one) => one === phase);

/** Between two looks at the moves; the shortest phase takes some hundred milliseconds. */
const LOOK_PAUSE_MS = 10;
const MOVES_SEEN_MAX = 100;
/**
 * How much later the next process begins: longer than any lease, and than a message may be under way before it is sent
 * anew, so that no move waits for work of a process that is dead.
 */
const DEAD_MS = 16 * 60_000;

/** Whether a move writes in its phase now, and does not wait for a time to pass. */
function isAtWork({ phase, openedAt, position }: Move, nowMs: number): boolean {
  if (phase === "emptying") return nowMs - (openedAt ?? 0) >= LEFT_MS_MIN;
  // Behind its last pass it waits until keys are forgotten.
  return (
    phase !== "copying" || (position !== null && "pass" in position && Number(position.pass) <= OPEN_PASSES)
  );
}

/**
 * Kills so many times, about as often in one phase as in another; gives how often in each. `killAndRestart` is told how
 * much later the next process is to begin.
 */
export async function killInPhases(
  { now }: Pick<LocalService, "now">,
  databases: Databases,
  kills: number,
  random: () => number,
  killAndRestart: (laterMs: number) => Promise<void>,
): Promise<Readonly<Record<KilledPhase, number>>> {
  const killed = { asked: 0, copying: 0, comparing: 0, opening: 0, emptying: 0 };
  /** Each phase of a move is killed in once: it would otherwise be the first move's each time. */
  const met = new Set<string>();
  // One less than there are: the shortest phase may be over before it is seen.
  const eachMax = Math.ceil(kills / (PHASES.length - 1));
  for (let left = kills; left > 0; ) {
    const moves = await untilServed(() => openMoves.all(databases.directory, { limit: MOVES_SEEN_MAX }));
    const found = moves
      .filter((move) => isAtWork(move, now()))
      .flatMap(({ moveId, phase }) => (isKilledPhase(phase) ? [{ moveId, phase }] : []))
      .find(({ moveId, phase }) => killed[phase] < eachMax && !met.has(`${phase} ${moveId}`));
    if (found === undefined) {
      await delay(LOOK_PAUSE_MS);
      continue;
    }
    const { moveId, phase } = found;
    met.add(`${phase} ${moveId}`);
    await delay(random() * PHASE_MS[phase]);
    await killAndRestart(DEAD_MS);
    killed[phase] += 1;
    left -= 1;
  }
  return killed;
}
