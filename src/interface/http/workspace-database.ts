import type { Context } from "hono";
import { readCapabilities } from "#platform/bindings/capabilities.ts";
import { capabilitiesAt } from "#platform/bindings/capabilities-at.ts";
import { clock } from "#platform/clock.ts";
import { type Databases, databaseOf } from "#platform/databases/databases.ts";
import { LEFT_MS_MIN } from "#platform/databases/leave-database.ts";
import { findHome } from "#platform/databases/workspace-location-store.ts";
import type { AppEnv, WorkspaceHome } from "./context.ts";

/**
 * Whoever was led to the old database of a workspace came before the new one was opened, and what is left on the old one
 * stays for a while from then on. So whatever is answered sooner than this was read from all of its rows; the rest is for
 * clocks that differ.
 */
const UNMOVED_MS_MAX = LEFT_MS_MIN - 15_000;

/**
 * Leads the request to the database where its workspace lives: from here on its capabilities are those for the work there.
 * Throws where that database is not bound, which the keys and the directory of this origin speak of.
 */
export function enterHome(c: Context<AppEnv>, { home, workspaceId }: WorkspaceHome): void {
  const ofOrigin = readCapabilities(c.env);
  const databases = databasesOf(c);
  const db = databases === null ? null : databaseOf(databases, home);
  if (db === null) throw new Error(`no database ${home} is bound`);
  // A session needs no pepper of keys, without which there is no capability `database` at all.
  c.set("capabilities", capabilitiesAt(ofOrigin, home) ?? ofOrigin);
  c.set("workspace", { db, workspaceId });
  if (c.get("ledTo") === undefined) c.set("ledTo", { home, workspaceId });
}

/** Every database of the origin; null where it has none. */
export function databasesOf(c: Context<AppEnv>): Databases | null {
  const { database, accounts } = readCapabilities(c.env);
  return database?.databases ?? accounts?.databases ?? null;
}

/**
 * Whether the request was held up for so long that what its workspace left behind, where it was led to, may be deleted, and
 * the workspace has moved. Reads nothing for a request that was not.
 */
export async function hasBeenLeft(c: Context<AppEnv>): Promise<boolean> {
  const ledTo = c.get("ledTo");
  if (ledTo === undefined || clock.now() - c.get("nowMs") < UNMOVED_MS_MAX) return false;
  const databases = databasesOf(c);
  return databases !== null && (await findHome(databases, ledTo.home, ledTo.workspaceId)) !== ledTo.home;
}
