/** Writes the documentation site and the font library into the folder that wrangler.toml serves; run by scripts/make-docs.ts. */
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fontAssets } from "../fonts/font-assets.ts";
import { runScript } from "../local/failure.ts";
import { DOCS_FOLDER, inRoot } from "../local/paths.ts";
import { buildSite } from "./build-site.ts";

/** Writes a file unless it has these bytes already: a running `wrangler dev` loads its worker anew when one changes. */
async function writeIfChanged(path: string, bytes: Buffer): Promise<void> {
  const present = await readFile(path).catch(() => null);
  if (present?.equals(bytes)) return;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, bytes);
}

/** Deletes what an earlier version of the site had: files, and folders that hold nothing of this one. */
async function deleteOthers(kept: readonly string[]): Promise<void> {
  const entries = await readdir(inRoot(DOCS_FOLDER), { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    const isKept = kept.some((each) => each === path || each.startsWith(`${path}/`));
    if (!isKept) await rm(path, { recursive: true, force: true });
  }
}

await runScript(async () => {
  const files = new Map([...(await buildSite()), ...(await fontAssets())]);
  const paths = [...files].map(
    ([address, content]) => [inRoot(`${DOCS_FOLDER}${address}`), content] as const,
  );
  for (const [path, content] of paths) await writeIfChanged(path, Buffer.from(content));
  await deleteOthers(paths.map(([path]) => path));
});
