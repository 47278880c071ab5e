/** Builds the static files into dist/assets: documentation, font library, Studio. */
import { createHash } from "node:crypto";
import { existsSync, globSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runScript } from "../local/failure.ts";
import { ASSETS_FOLDER, inRoot } from "../local/paths.ts";
import { requireTool } from "../local/tool.ts";
import { makeClientTypes } from "./client-types.ts";

/** A part of the folder: the script that builds it, and its sources. */
interface Part {
  readonly what: string;
  readonly script: string;
  /** A file that exists once the part was built. */
  readonly builtFile: string;
  /** Includes the lock file, which contains the versions of libraries. */
  readonly sources: readonly string[];
}

const PARTS: readonly Part[] = [
  {
    what: "Building the documentation and the fonts",
    script: "scripts/make/site/make-site.ts",
    builtFile: "_headers",
    sources: [
      "docs/**/*.{md,svg,json}",
      "CHANGELOG.md",
      "sdk/README.md",
      "sdk/src/{client.ts,packs/*.ts,resources/*.ts}",
      "schema/openapi.json",
      "src/catalogue/*.ts",
      "scripts/make/{assets.ts,site/**,docs/**}",
      "src/renderer/fonts/*",
      "scripts/make/fonts/*.ts",
      "samples/bottle-photo.jpg",
      "package-lock.json",
    ],
  },
  {
    what: "Building the Studio",
    script: "scripts/make/studio.ts",
    builtFile: "index.html",
    sources: [
      "studio/**",
      "sdk/src/**/*.ts",
      "src/{api,catalogue,renderer,domains/assets,domains/previews}/**",
      "scripts/make/{assets.ts,studio.ts,client-types.ts}",
      "schema/openapi.json",
      "samples/*",
      "package.json",
      "package-lock.json",
    ],
  },
];

/** A hash of the sources; takes some tens of milliseconds. */
async function fingerprint(sources: readonly string[]): Promise<string> {
  const hash = createHash("sha256");
  const entries = globSync(sources, { cwd: inRoot("."), withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  for (const path of paths.sort()) hash.update(path).update(await readFile(path));
  return hash.digest("hex");
}

/** Path of a part's stamp, outside of the served folder. */
const stampOf = ({ builtFile }: Part): string => inRoot(`${ASSETS_FOLDER}.${builtFile}.stamp`);

async function makePart(part: Part): Promise<void> {
  const wanted = await fingerprint(part.sources);
  const isThere = existsSync(inRoot(`${ASSETS_FOLDER}/${part.builtFile}`));
  if (isThere && (await readFile(stampOf(part), "utf8").catch(() => "")) === wanted) return;
  process.stderr.write(`${part.what} …\n`);
  // In a separate process, so that callers do not load the builder.
  await requireTool(part.what, "node", [part.script]);
  await writeFile(stampOf(part), wanted);
}

/** Builds parts that are out of date. Safe to repeat, even under a running worker. */
export async function makeAssets(): Promise<void> {
  await makeClientTypes();
  for (const part of PARTS) await makePart(part);
}

if (import.meta.main) await runScript(makeAssets);
