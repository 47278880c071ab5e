import { mkdir, open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseRecord } from "../../read-answer.ts";
import { cannotWrite } from "../write-whole.ts";

/**
 * What became of rows, beside their packs: a line of JSON for each step, on the disk before the next step begins. A run
 * that was ended anywhere reads it and goes on. What it lacks costs time and never money: an order is found again by its
 * idempotency key and by its fingerprint.
 */

export interface RowState {
  /** Hash of all that the row asks for, the bytes of its files included. */
  readonly row: string;
  readonly jobId: string;
  /** `ordered` while it may still be drawn; `saved` once its files are on the disk. */
  readonly state: "ordered" | "saved" | "failed";
  /** Which order of the same row this is; a new one follows an order that failed. */
  readonly attempt: number;
}

export type Journal = Awaited<ReturnType<typeof openJournal>>;

const NAME = ".creative-packs.jsonl";

/** Opens the journal of a folder. Throws a `SaveError` where it cannot be written. */
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
  // A line that broke off is ended, or the next would be lost with it.
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

/** Null for a line that broke off, or that another version wrote. */
function parseState(line: string): RowState | null {
  const { row, jobId, state, attempt } = parseRecord(line);
  if (typeof row !== "string" || typeof jobId !== "string" || typeof attempt !== "number") return null;
  if (state !== "ordered" && state !== "saved" && state !== "failed") return null;
  return { row, jobId, state, attempt };
}
