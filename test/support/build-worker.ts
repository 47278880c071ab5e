import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { requireTool, WRANGLER_ENVIRONMENT } from "../../scripts/local/tool.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** A folder with the deployable files. */
    builtWorker: string;
  }
}

/** Each project of a run loads this module separately, but shares the process. */
const FOLDER_VARIABLE = "CREATIVE_PACKS_BUILT_WORKER";

/** Builds the worker once for all services of a run. */
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
