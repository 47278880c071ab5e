import { type Databases, databaseOf } from "#platform/databases/databases.ts";
import { directoryEntry } from "#platform/databases/move-store.ts";
import { DIRECTORY, readHome } from "#platform/databases/shard-name.ts";
import { Failure } from "../../local/failure.ts";
import type { Command } from "./command-line.ts";
import type { OperatorDatabase } from "./commands.ts";
import type { Target } from "./read-command.ts";

/**
 * The database that a command works on: that of its workspace, on whichever shard it is, or `DB`. A workspace that the
 * directory does not know is looked for in `DB`, where the command says that there is none.
 */
export async function operatorDatabaseOf(
  databases: Databases,
  command: Command,
  { target, nowMs }: { readonly target: Target; readonly nowMs: number },
): Promise<OperatorDatabase> {
  const workspaceId = "workspaceId" in command ? command.workspaceId : null;
  const entry =
    workspaceId === null ? null : await directoryEntry.first(databases.directory, { workspaceId });
  const home = entry?.home == null ? DIRECTORY : readHome(entry.home);
  const db = databaseOf(databases, home);
  if (db === null) {
    throw new Failure(`The workspace lives on shard ${home}, which ${target.configPath} does not bind.`);
  }
  return { db, home, databases, target, nowMs };
}
