/** Builds the documentation site into dist/docs-assets, the folder that wrangler.toml serves. */
import { createHash } from "node:crypto";
import { existsSync, globSync } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { runScript } from "./local/failure.ts";
import { inRoot } from "./local/paths.ts";

const FOLDER = "dist/docs-assets";
/** Beside the folder, so that it is not served. */
const STAMP = "dist/docs-assets.stamp";

/** Everything that the site follows from. A library's new version is in the lock file. */
const SOURCES = [
  "docs/**/*.{md,svg,json}",
  "schema/openapi.json",
  "src/catalogue/*.ts",
  "scripts/{make-docs.ts,site/**,docs/**}",
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

/** Writes a file unless it has these bytes already: a running `wrangler dev` loads its worker anew when one changes. */
async function writeIfChanged(path: string, bytes: Buffer): Promise<void> {
  const present = await readFile(path).catch(() => null);
  if (present?.equals(bytes)) return;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, bytes);
}

/** Deletes what an earlier version of the site had: files, and folders that hold nothing of this one. */
async function deleteOthers(kept: readonly string[]): Promise<void> {
  const entries = await readdir(inRoot(FOLDER), { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    const isKept = kept.some((each) => each === path || each.startsWith(`${path}/`));
    if (!isKept) await rm(path, { recursive: true, force: true });
  }
}

/** Builds the site unless it stands already; safe to repeat, also under a worker that serves it. */
export async function makeDocsAssets(): Promise<void> {
  const wanted = await fingerprint();
  const isThere = existsSync(inRoot(`${FOLDER}/_headers`));
  if (isThere && (await readFile(inRoot(STAMP), "utf8").catch(() => "")) === wanted) return;
  // Only now: what is unchanged does not pay for loading the libraries.
  const { buildSite } = await import("./site/build-site.ts");
  const files = await buildSite();
  for (const [address, content] of files) {
    await writeIfChanged(inRoot(`${FOLDER}${address}`), Buffer.from(content));
  }
  await deleteOthers([...files.keys()].map((address) => inRoot(`${FOLDER}${address}`)));
  await writeFile(inRoot(STAMP), wanted);
}

if (import.meta.main) await runScript(makeDocsAssets);
