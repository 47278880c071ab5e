import { setTimeout as delay } from "node:timers/promises";
import { type Databases, databaseOf } from "#platform/databases/databases.ts";
import { directoryEntry } from "#platform/databases/move-store.ts";
import { DIRECTORY, type Home, readHome } from "#platform/databases/shard-name.ts";
import { isMovingError } from "#platform/db/batch-guard.ts";
import { databaseNow } from "#platform/db/database-clock.ts";
import { Failure } from "../../local/failure.ts";
import { openDatabase } from "./open-database.ts";
import type { Common, Target } from "./run-command.ts";

/** Context of a command: its database and time. */
export interface OperatorDatabase {
  /** The database of the command's workspace; `DB` for other commands. */
  readonly db: D1Database;
  readonly home: Home;
  readonly databases: Databases;
  readonly target: Target;
  readonly nowMs: number;
}

/**
 * The database of a command: its workspace's shard, or `DB`. A workspace that the directory does not know is looked up
 * in `DB`, where the command reports that it does not exist.
 */
async function homeOf(databases: Databases, choice: object): Promise<Home> {
  if (!("workspaceId" in choice) || typeof choice.workspaceId !== "string") return DIRECTORY;
  const entry = await directoryEntry.first(databases.directory, { workspaceId: choice.workspaceId });
  return readHome(entry?.home ?? DIRECTORY);
}

/** Errors of a local database while `npx wrangler dev` writes to it: of SQLite, or of the emulator in a transaction. */
const BUSY = /SQLITE_BUSY|Failed to get session commit token/;
const BUSY_ATTEMPTS_MAX = 10;
const BUSY_PAUSE_MS = 50;

const isBusy = (thrown: unknown): boolean => thrown instanceof Error && BUSY.test(thrown.message);

/**
 * Retries statements that found the local database busy, since they were rolled back. A deployed database queues its
 * writers; its failures are reported, because the write may have happened.
 */
async function whenFree<T>({ isRemote }: Target, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (thrown) {
      if (!isBusy(thrown) || isRemote || attempt >= BUSY_ATTEMPTS_MAX) throw thrown;
      await delay(BUSY_PAUSE_MS * attempt);
    }
  }
}

/** Opens the database for the duration of a command. */
export const onDatabase =
  <Choice extends object, Found>(work: (operator: OperatorDatabase, choice: Choice) => Promise<Found>) =>
  async ({ target }: Common, choice: Choice): Promise<Found> => {
    const { databases, close } = await openDatabase(target);
    try {
      const nowMs = await databaseNow(databases.directory);
      const home = await homeOf(databases, choice);
      const db = databaseOf(databases, home);
      if (db === null) {
        throw new Failure(`The workspace lives on shard ${home}, which ${target.configPath} does not bind.`);
      }
      return await whenFree(target, () => work({ db, home, databases, target, nowMs }, choice));
    } finally {
      await close();
    }
  };

/** Message for an error that an operator can fix; null for a defect. */
export function explain(thrown: unknown, { isRemote, stateFolder }: Target): string | null {
  if (!(thrown instanceof Error)) return null;
  if (isBusy(thrown) && !isRemote) {
    return "The local database stayed busy and nothing was changed; run this again.";
  }
  if (isMovingError(thrown)) {
    return "The workspace is being moved to another database. Nothing was changed; run this again in a minute.";
  }
  if (thrown.message.includes("no such table")) {
    const command = isRemote
      ? "npm run deploy -- --migrate"
      : `npx wrangler d1 migrations apply DB --local --persist-to ${stateFolder}`;
    return `The database has no tables yet. Run: ${command}`;
  }
  return null;
}
