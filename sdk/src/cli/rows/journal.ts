import { mkdir, open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseRecord } from "../../read-answer.ts";
import { cannotWrite } from "../write-whole.ts";

/**
 * Log of rows next to their packs: one JSON line per step, written to disk before the next step begins, so that an
 * interrupted run can continue. A lost line costs time but no money, because orders are found again by idempotency key
 * and fingerprint.
 */

export interface RowState {
  /** Hash of everything in the row, including the bytes of its files. */
  readonly row: string;
  readonly jobId: string;
  /** `ordered` until the files are on disk, then `saved`. */
  readonly state: "ordered" | "saved" | "failed";
  /** Number of earlier orders of the row, all of which failed. */
  readonly attempt: number;
}

export type Journal = Awaited<ReturnType<typeof openJournal>>;

const NAME = ".creative-packs.jsonl";

/** Opens the journal of a folder. Throws a `SaveError` if it cannot be written. */
export async function openJournal(folder: string) {
  const path = join(folder, NAME);
  const known = new Map<string, RowState>();
  const text = await readFile(path, "utf8").catch(() => "");
  for (const line of text.split("\n")) {
    const state = parseState(line);
    if (state !== null) known.set(state.row, state);
  }
  const fail = (error: unknown) =>
    Promise.reject(cannotWrite(path, error, " Choose another folder with --out."));
  const handle = await mkdir(folder, { recursive: true })
    .then(() => open(path, "a", 0o600))
    .catch(fail);
  const write = async (text: string): Promise<void> => {
    await handle.appendFile(text).catch(fail);
    await handle.sync();
  };
  // Ends a truncated line, so that the next entry starts on its own line.
  if (text !== "" && !text.endsWith("\n")) await write("\n");
  return {
    find: (row: string): RowState | null => known.get(row) ?? null,
    append: async (state: RowState): Promise<void> => {
      known.set(state.row, state);
      await write(`${JSON.stringify(state)}\n`);
    },
    close: (): Promise<void> => handle.close(),
  };
}

/** Parses a line; null if it is truncated or from another version. */
function parseState(line: string): RowState | null {
  const { row, jobId, state, attempt } = parseRecord(line);
  if (typeof row !== "string" || typeof jobId !== "string" || typeof attempt !== "number") return null;
  if (state !== "ordered" && state !== "saved" && state !== "failed") return null;
  return { row, jobId, state, attempt };
}
