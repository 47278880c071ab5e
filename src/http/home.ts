import type { Context } from "hono";
import { readCapabilities } from "../bindings/capabilities.ts";
import { capabilitiesAt } from "../bindings/capabilities-at.ts";
import { databaseOf } from "../databases/databases.ts";
import type { Home } from "../databases/shard-name.ts";
import type { AppEnv } from "./context.ts";

/**
 * Leads the request to the database where its workspace lives: from here on its capabilities are those for the work there.
 * Throws where that database is not bound, which the keys and the directory of this origin speak of.
 */
export function enterHome(
  c: Context<AppEnv>,
  { home, workspaceId }: { readonly home: Home; readonly workspaceId: string },
): void {
  const ofOrigin = readCapabilities(c.env);
  const databases = ofOrigin.database?.databases ?? ofOrigin.accounts?.databases ?? null;
  const db = databases === null ? null : databaseOf(databases, home);
  if (db === null) throw new Error(`no database ${home} is bound`);
  // A session needs no pepper of keys, without which there is no capability `database` at all.
  c.set("capabilities", capabilitiesAt(ofOrigin, home) ?? ofOrigin);
  c.set("workspace", { db, workspaceId });
}
