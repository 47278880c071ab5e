import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { requireTool, WRANGLER_ENVIRONMENT } from "../../scripts/local/tool.ts";

/** A worker as `wrangler deploy` would upload it. */
export interface Bundle {
  readonly folder: string;
  /** The entry module is first. */
  readonly modules: readonly BundledModule[];
}

interface BundledModule {
  readonly type: "ESModule" | "CompiledWasm" | "Data";
  readonly path: string;
  readonly contents: Uint8Array<ArrayBuffer>;
}

const TYPES: Readonly<Record<string, BundledModule["type"]>> = {
  js: "ESModule",
  wasm: "CompiledWasm",
  ttf: "Data",
  weights: "Data",
};

const runFolder = join(tmpdir(), "creative-packs-bench", "bundles", String(process.pid));

/** Removes the bundles of this run. */
export const removeBundles = (): Promise<void> => rm(runFolder, { recursive: true, force: true });

/** Replaced modules: import specifier to file path. */
export type StandIns = Readonly<Record<string, string>>;

/** Bundles a worker with wrangler. `script` replaces the entry of the configuration. */
export async function bundleWorker(
  configPath: string,
  script: string | null = null,
  standIns: StandIns = {},
): Promise<Bundle> {
  const aliases = Object.entries(standIns).flatMap(([from, to]) => ["--alias", `${from}:${to}`]);
  const name = createHash("sha256")
    .update([configPath, script, ...aliases].join(" "))
    .digest("hex");
  const folder = join(runFolder, name.slice(0, 16));
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await requireTool(
    "Bundling a worker",
    "wrangler",
    [
      "deploy",
      ...(script === null ? [] : [script]),
      "--dry-run",
      "--config",
      configPath,
      "--outdir",
      folder,
      ...aliases,
    ],
    WRANGLER_ENVIRONMENT,
  );
  const modules: BundledModule[] = [];
  for (const file of await readdir(folder)) {
    const type = TYPES[file.split(".").at(-1) ?? ""];
    if (type === undefined) continue;
    const path = join(folder, file);
    const module = { type, path, contents: Uint8Array.from(await readFile(path)) };
    if (type === "ESModule") modules.unshift(module);
    else modules.push(module);
  }
  return { folder, modules };
}
