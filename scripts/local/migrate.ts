import { requireTool, WRANGLER_ENVIRONMENT } from "./tool.ts";

/** Brings the local D1 in a state folder up to the newest migration; repeating it changes nothing. */
export async function migrateLocal(stateFolder: string): Promise<void> {
  await requireTool(
    "Migrating the local database",
    "wrangler",
    ["d1", "migrations", "apply", "DB", "--local", "--persist-to", stateFolder],
    WRANGLER_ENVIRONMENT,
  );
}
