/** Builds the documentation site and the font library into dist/docs-assets, the folder that wrangler.toml serves. */
import { createHash } from "node:crypto";
import { existsSync, globSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runScript } from "./local/failure.ts";
import { DOCS_FOLDER, inRoot } from "./local/paths.ts";
import { requireTool } from "./local/tool.ts";

/** Beside the folder, so that it is not served. */
const STAMP = "dist/docs-assets.stamp";

/** Everything that the files follow from. A library's new version is in the lock file. */
const SOURCES = [
  "docs/**/*.{md,svg,json}",
  "schema/openapi.json",
  "src/catalogue/*.ts",
  "scripts/{make-docs.ts,site/**,docs/**}",
  "src/renderer/fonts/*",
  "scripts/fonts/*.ts",
  "samples/bottle-photo.jpg",
  "package-lock.json",
];

/** A hash of the sources; a few milliseconds. */
async function fingerprint(): Promise<string> {
  const hash = createHash("sha256");
  const entries = globSync(SOURCES, { cwd: inRoot("."), withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  for (const path of paths.sort()) hash.update(path).update(await readFile(path));
  return hash.digest("hex");
}

/** Builds the site unless it stands already; safe to repeat, also under a worker that serves it. */
export async function makeDocsAssets(): Promise<void> {
  const wanted = await fingerprint();
  const isThere = existsSync(inRoot(`${DOCS_FOLDER}/_headers`));
  if (isThere && (await readFile(inRoot(STAMP), "utf8").catch(() => "")) === wanted) return;
  // A process of its own: whoever needs the site does not load what makes it.
  await requireTool("Building the documentation and the fonts", "node", ["scripts/site/make-site.ts"]);
  await writeFile(inRoot(STAMP), wanted);
}

if (import.meta.main) await runScript(makeDocsAssets);
