import { setTimeout as delay } from "node:timers/promises";
import { PREPARED } from "#platform/databases/copy-statements.ts";
import { type Databases, databaseOf, everyDatabase } from "#platform/databases/databases.ts";
import { directoryEntry, latestMove, type Move, openMoves } from "#platform/databases/move-store.ts";
import { requestMove } from "#platform/databases/run-moves.ts";
import { bindingOf, DIRECTORY, type Home, readHome } from "#platform/databases/shard-name.ts";
import { largestWorkspaces, packCount, packsSince, workspaceCounts } from "#platform/databases/size-store.ts";
import { utcDayOf } from "#platform/utc-day.ts";
import { Failure } from "../../local/failure.ts";
import { runTool } from "../../local/tool.ts";
import type { Target } from "../workspace/run-command.ts";
import { type DatabaseSize, planRebalance } from "./plan-rebalance.ts";

/** The commands of `npm run shards`, except `add`, which needs no database. */

export interface ShardsContext {
  readonly databases: Databases;
  /** Database names in the account, by binding. */
  readonly names: ReadonlyMap<string, string>;
  readonly target: Target;
  readonly nowMs: number;
}

const DAY_MS = 86_400_000;
const LARGEST_SHOWN = 50;

const bindingNamed = (home: Home): string => (home === DIRECTORY ? DIRECTORY : bindingOf(home));

/** Rows written in the last 24 hours according to the account; null if unknown. */
async function rowsWritten({ names, target }: ShardsContext, home: Home): Promise<number | null> {
  const name = names.get(bindingNamed(home));
  if (!target.isRemote || name === undefined) return null;
  const { code, stdout } = await runTool("wrangler", ["d1", "info", name, "--json"], {
    CI: "1",
    NO_COLOR: "1",
    WRANGLER_WRITE_LOGS: "false",
  });
  if (code !== 0) return null;
  const read: unknown = JSON.parse(stdout);
  const rows =
    typeof read === "object" && read !== null && "rows_written_24h" in read ? read.rows_written_24h : null;
  return typeof rows === "number" ? rows : null;
}

/** Each database with its size, workspaces and writes. */
export async function list(context: ShardsContext) {
  const day = utcDayOf(context.nowMs - DAY_MS);
  const databases = await Promise.all(
    everyDatabase(context.databases).map(async ({ home, db }) => {
      const size = await db.prepare("select 1").all();
      const [counts, packs, recent, written] = await Promise.all([
        workspaceCounts.first(db, {}),
        packCount.first(db, {}),
        packsSince.first(db, { day }),
        rowsWritten(context, home),
      ]);
      return {
        database: home,
        name: context.names.get(bindingNamed(home)) ?? null,
        bytes: size.meta.size_after,
        workspaces: counts?.here ?? 0,
        forwarded: counts?.elsewhere ?? 0,
        packs: packs?.count ?? 0,
        packsSinceYesterday: recent?.count ?? 0,
        rowsWrittenLastDay: written,
      };
    }),
  );
  return { databases };
}

/** A move as shown to operators. */
const presentMove = ({ workspaceId, source, target, phase, rowsWritten: rows, failures }: Move) => ({
  workspaceId,
  from: source,
  to: target,
  phase,
  rowsWritten: rows,
  failures,
});

/**
 * Rows that one run of the sweep can copy, compare and delete, measured with 13,000 rows. Announcing the move and
 * opening the target take `RUNS_MIN` more runs.
 */
const ROWS_PER_RUN = 4_000;
const RUNS_MIN = 3;

/** Rows of a workspace, and the estimated minutes of its move, at one run of the sweep per minute. */
export async function estimateMove({ databases }: Pick<ShardsContext, "databases">, workspaceId: string) {
  const entry = await directoryEntry.first(databases.directory, { workspaceId });
  const db = entry === null ? null : databaseOf(databases, readHome(entry.home ?? DIRECTORY));
  let rows = 0;
  if (db === null) return { rows, minutes: 0 };
  for (const { statements } of PREPARED) {
    const counted: unknown = JSON.parse((await statements.counts.first(db, { workspaceId }))?.counts ?? "[]");
    for (const count of Array.isArray(counted) ? counted : []) rows += Number(count);
  }
  return { rows, minutes: RUNS_MIN + Math.ceil(rows / ROWS_PER_RUN) };
}

const REFUSALS = {
  "no such workspace": "There is no such workspace.",
  "not bound": "That database is not bound in the configuration.",
  "lives there": "The workspace lives there already.",
  "is moving": "A move of this workspace is under way; `npm run shards -- moves` shows it.",
} as const;

const POLL_MS = 2_000;
/** A large workspace takes many runs of the sweep, one per minute. */
const WAIT_MS_MAX = 60 * 60_000;

export interface MoveChoice {
  readonly workspaceId: string;
  readonly to: Home;
  readonly isWaiting: boolean;
}

/** Requests a move and optionally waits for its end. The worker's sweep performs it. */
export async function move(
  { databases, nowMs }: ShardsContext,
  { workspaceId, to, isWaiting }: MoveChoice,
  show: (move: Move) => void,
) {
  const asked = await requestMove(databases, { workspaceId, target: to, nowMs });
  if (typeof asked === "string") throw new Failure(REFUSALS[asked]);
  let latest = asked;
  for (let waitedMs = 0; isWaiting && latest.finishedAt === null; waitedMs += POLL_MS) {
    if (waitedMs >= WAIT_MS_MAX) throw new Failure("The move goes on, but this has waited for an hour.");
    await delay(POLL_MS);
    latest = (await latestMove.first(databases.directory, { workspaceId })) ?? latest;
    show(latest);
  }
  if (latest.phase === "undone") {
    throw new Failure(
      "The move was given up; the workspace is where it was. The worker's log says why (move_failed).",
    );
  }
  return presentMove(latest);
}

const MOVES_SHOWN_MAX = 100;

export async function moves({ databases }: ShardsContext) {
  const open = await openMoves.all(databases.directory, { limit: MOVES_SHOWN_MAX });
  return { moves: open.map(presentMove) };
}

/** The plan of a rebalancing. */
export async function rebalance({ databases }: ShardsContext) {
  const sizes = await Promise.all(
    everyDatabase(databases).map(async ({ home, db }): Promise<DatabaseSize> => {
      const size = await db.prepare("select 1").all();
      const [packs, largest] = await Promise.all([
        packCount.first(db, {}),
        largestWorkspaces.all(db, { limit: LARGEST_SHOWN }),
      ]);
      return { home, bytes: size.meta.size_after, packs: packs?.count ?? 0, largest };
    }),
  );
  return { planned: planRebalance(sizes) };
}
