import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { requireTool, WRANGLER_ENVIRONMENT } from "../../scripts/local/tool.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** A folder with the files that a deployment uploads. */
    builtWorker: string;
  }
}

/** The projects of a run have this module each for itself, and its process in common. */
const FOLDER_VARIABLE = "CREATIVE_PACKS_BUILT_WORKER";

/** Builds the worker once for all services that a run starts: each would otherwise bundle the same sources. */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const known = process.env[FOLDER_VARIABLE];
  const folder = known ?? (await mkdtemp(join(tmpdir(), "creative-packs-built-")));
  if (known === undefined) {
    const parameters = ["deploy", "--dry-run", "--outdir", folder];
    await requireTool("Building the worker", "wrangler", parameters, WRANGLER_ENVIRONMENT);
    process.env[FOLDER_VARIABLE] = folder;
  }
  provide("builtWorker", folder);
  return () => rm(folder, { recursive: true, force: true });
}
