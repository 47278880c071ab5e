import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ASSETS_FOLDER, inRoot } from "./paths.ts";

/** Writes a file only if its bytes differ, because a running `wrangler dev` reloads the worker on every change. */
async function writeIfChanged(path: string, bytes: Buffer): Promise<void> {
  const present = await readFile(path).catch(() => null);
  if (present?.equals(bytes)) return;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, bytes);
}

/** Deletes files of an earlier build, and folders without current files. */
async function deleteOthers(kept: readonly string[], own: readonly string[]): Promise<void> {
  const folder = inRoot(ASSETS_FOLDER);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    const isOwn = own.some(
      (name) => path === join(folder, name) || path.startsWith(`${join(folder, name)}/`),
    );
    const isKept = kept.some((each) => each === path || each.startsWith(`${path}/`));
    if (isOwn && !isKept) await rm(path, { recursive: true, force: true });
  }
}

/**
 * Copies a builder's files, by URL path, into the served folder, and deletes the files of its earlier builds. `own`:
 * top-level names that belong to this builder only.
 */
export async function placeFiles(
  files: ReadonlyMap<string, string | Uint8Array>,
  own: readonly string[],
): Promise<void> {
  const paths = [...files].map(
    ([address, content]) => [inRoot(`${ASSETS_FOLDER}${address}`), content] as const,
  );
  for (const [path, content] of paths) await writeIfChanged(path, Buffer.from(content));
  await deleteOthers(
    paths.map(([path]) => path),
    own,
  );
}
