import type { Context } from "hono";
import { readCapabilities } from "../bindings/capabilities.ts";
import { capabilitiesAt } from "../bindings/capabilities-at.ts";
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
  const capabilities = capabilitiesAt(readCapabilities(c.env), home);
  if (capabilities === null || capabilities.database === null)
    throw new Error(`no database ${home} is bound`);
  c.set("capabilities", capabilities);
  c.set("workspace", { db: capabilities.database.db, workspaceId });
}
