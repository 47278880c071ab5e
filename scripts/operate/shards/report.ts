import type { Move } from "#platform/databases/move-store.ts";
import { plain } from "../workspace/plain-text.ts";
import type { Done } from "../workspace/report.ts";
import type { add } from "./add.ts";
import type { estimateMove, list, move, moves, rebalance } from "./commands.ts";

/** Results of the commands as text. */

const MEGABYTE = 1_000_000;

const megabytes = (bytes: number): string => `${(bytes / MEGABYTE).toFixed(1)} MB`;

/** Columns as wide as their content; the first left-aligned, the others right-aligned. */
function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

export const reportList = ({ databases }: Done<typeof list>): string =>
  table([
    ["database", "bytes", "workspaces", "packs", "since yesterday", "rows written in 24 h"],
    ...databases.map((one) => [
      one.database,
      megabytes(one.bytes),
      String(one.workspaces),
      String(one.packs),
      String(one.packsSinceYesterday),
      one.rowsWrittenLastDay === null ? "-" : String(one.rowsWrittenLastDay),
    ]),
  ]);

export const reportAdded = ({ shard, name, configuration }: Done<typeof add>): string =>
  `${plain(configuration)} binds ${name} as shard ${shard} now.
Deploy: npm run deploy. It migrates the database first; then new workspaces go to the emptiest shard.`;

const NAMES: Readonly<Record<Move["phase"], string>> = {
  asked: "waits for the sweep",
  copying: "is copied while it works",
  comparing: "takes no writes while the last rows are copied",
  opening: "opens at its new database",
  emptying: "works at its new database; what was left is deleted",
  undoing: "stays where it is; the copy is deleted",
  done: "is moved",
  undone: "was not moved",
};

const line = (one: Pick<Move, "workspaceId" | "phase" | "rowsWritten" | "failures">): string =>
  `${one.workspaceId} ${NAMES[one.phase]} (${one.rowsWritten} rows written${one.failures > 0 ? `, ${one.failures} runs failed` : ""})`;

export const reportEstimate = ({ rows, minutes }: Done<typeof estimateMove>): string =>
  `About ${rows} rows: some ${minutes} minutes. Writes wait for seconds.`;

export const reportProgress = (latest: Move): string => line(latest);

export const reportMove = (done: Done<typeof move>): string => `${line(done)}: ${done.from} to ${done.to}`;

export const reportMoves = ({ moves: open }: Done<typeof moves>): string =>
  open.length === 0
    ? "No move is under way."
    : open.map((one) => `${line(one)}: ${one.from} to ${one.to}`).join("\n");

export const reportRebalance = ({ planned }: Done<typeof rebalance>): string =>
  planned.length === 0
    ? "The databases are as full as each other, or hold too little to be worth a move."
    : planned
        .map(
          ({ workspaceId, to, bytes, reason }) =>
            `npm run shards -- move ${workspaceId} --to ${to}    # about ${megabytes(bytes)}; ${reason}`,
        )
        .join("\n");
