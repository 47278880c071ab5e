import { setTimeout as delay } from "node:timers/promises";
import { type Databases, everyDatabase } from "#platform/databases/databases.ts";
import { latestMove, openMoves } from "#platform/databases/move-store.ts";
import { requestMove } from "#platform/databases/run-moves.ts";
import { readHome } from "#platform/databases/shard-name.ts";
import { seededRandom } from "../support/pictures.ts";
import type { LocalService } from "./local-service.ts";

/** Moves workspaces of a local service between its databases, as operators and sweeps do. */

/** Pause between two sweeps. Shorter than production's minute, so that there are more moves. */
const SWEEP_PAUSE_MS = 1_000;
const MOVES_OPEN_MAX = 100;

/** Pause between two attempts while the process is down. */
const DEAD_PAUSE_MS = 100;
/** Attempts for five minutes, which is longer than any start takes. */
const DEAD_ATTEMPTS_MAX = 3_000;

/** Runs work on a service's databases. Retries while the process is down. */
async function untilServed<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (thrown) {
      // `fetch` throws a TypeError when a connection fails.
      if (!(thrown instanceof TypeError) || attempt === DEAD_ATTEMPTS_MAX) throw thrown;
      await delay(DEAD_PAUSE_MS);
    }
  }
}

/** Results of moves. */
interface MovesMade {
  readonly done: number;
  /** Abandoned moves, whose workspace stayed in place. */
  readonly undone: number;
  /** How long each finished move refused writes, in milliseconds, ascending. */
  readonly closedMs: readonly number[];
}

/** The database of a workspace, according to the directory. */
async function homeOf({ directory, shards }: Databases, workspaceId: string) {
  const entry = await directory
    .prepare("SELECT home FROM workspaces WHERE workspace_id = ?1")
    .bind(workspaceId)
    .first<{ home: string | null }>();
  const home = readHome(entry?.home ?? "DB");
  const found = everyDatabase({ directory, shards }).find((one) => one.home === home);
  if (entry === null || found === undefined) throw new Error(`the workspace ${workspaceId} lives nowhere`);
  return found;
}

async function readMovesMade({ directory }: Databases): Promise<MovesMade> {
  const { results } = await directory
    .prepare(
      "SELECT phase, opened_at - frozen_at AS closed_ms FROM workspace_moves WHERE finished_at IS NOT NULL",
    )
    .all<{ phase: string; closed_ms: number }>();
  const done = results.filter(({ phase }) => phase === "done");
  return {
    done: done.length,
    undone: results.length - done.length,
    closedMs: done.map(({ closed_ms }) => closed_ms).toSorted((one, other) => one - other),
  };
}

/** A summary line of moves. */
function formatMoves({ done, closedMs }: MovesMade): string {
  const median = closedMs[Math.floor(closedMs.length / 2)] ?? 0;
  return `${done} moves; writes refused for ${median} ms (median), ${closedMs.at(-1) ?? 0} ms at most`;
}

/** Handle of moves that run in the background. */
export interface BackgroundMoves {
  /** Waits until each workspace has moved and no move is running. Returns the numbers of moves. */
  readonly end: () => Promise<{ readonly moves: number; readonly undone: number }>;
}

/**
 * With shards, keeps moving all workspaces of a service between its databases. If the process is killed, a sweep fails
 * and the next one continues.
 */
export function moveInBackground(
  service: Pick<LocalService, "sweep" | "databases" | "workspaces">,
): BackgroundMoves {
  const { databases } = service;
  const workspaceIds = service.workspaces.map(({ workspaceId }) => workspaceId);
  if (databases === null || databases.shards.size === 0)
    return { end: async () => ({ moves: 0, undone: 0 }) };
  const random = seededRandom(workspaceIds.length);
  let isStopping = false;
  const askNext = async (workspaceId: string) => {
    const latest = await latestMove.first(databases.directory, { workspaceId });
    if (latest !== null && latest.finishedAt === null) return;
    const { home } = await homeOf(databases, workspaceId);
    const others = everyDatabase(databases).filter((one) => one.home !== home);
    const target = others[Math.floor(random() * others.length)]?.home;
    if (target === undefined) throw new Error("there is no other database");
    const asked = await requestMove(databases, { workspaceId, target, nowMs: Date.now() });
    if (typeof asked === "string") throw new Error(`the move was refused: ${asked}`);
  };
  const isMoving = async () =>
    (await openMoves.first(databases.directory, { limit: MOVES_OPEN_MAX })) !== null;
  const askForAll = async () => {
    for (const workspaceId of workspaceIds) await untilServed(() => askNext(workspaceId));
  };
  const run = async (): Promise<void> => {
    // Requests a move of each workspace first, so that each moves even if `end` is called at once.
    await askForAll();
    while (!isStopping || (await untilServed(isMoving))) {
      if (!isStopping) await askForAll();
      await service.sweep().catch(() => undefined);
      await delay(SWEEP_PAUSE_MS);
    }
  };
  const running = run();
  running.catch(() => undefined);
  return {
    end: async () => {
      isStopping = true;
      await running;
      const made = await untilServed(() => readMovesMade(databases));
      console.log(formatMoves(made));
      return { moves: made.done, undone: made.undone };
    },
  };
}
