import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { inRoot } from "./paths.ts";
import { createLocalWorkspace } from "./workspace.ts";

/** Initial credits of the workspace, enough for a few days. README.md shows how to create another workspace. */
const CREDITS = 1_000;
/** In a folder that git ignores, readable by its owner only. */
const path = inRoot(".wrangler/dev-key");

async function doesWork(origin: string, secret: string): Promise<boolean> {
  const response = await fetch(`${origin}/api/v1/balance`, {
    headers: { Authorization: `Bearer ${secret}` },
  });
  await response.body?.cancel();
  return response.ok;
}

/** Returns the stored key if it still works, otherwise that of a new workspace with credits. */
export async function readDevKey(origin: string, stateFolder: string): Promise<string> {
  const known = existsSync(path) ? (await readFile(path, "utf8")).trim() : "";
  if (known !== "" && (await doesWork(origin, known))) return known;
  const { secret } = await createLocalWorkspace(stateFolder, "Development", CREDITS);
  await writeFile(path, `${secret}\n`, { mode: 0o600 });
  return secret;
}
