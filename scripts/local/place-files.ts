import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ASSETS_FOLDER, inRoot } from "./paths.ts";

/** Writes a file unless it has these bytes already: a running `wrangler dev` loads its worker anew when one changes. */
async function writeIfChanged(path: string, bytes: Buffer): Promise<void> {
  const present = await readFile(path).catch(() => null);
  if (present?.equals(bytes)) return;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, bytes);
}

/** Deletes what an earlier build had: files, and folders that hold nothing of this one. */
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
 * Lays one builder's files, by their addresses, into the folder that is served, and takes away what it laid there before.
 * `own`: the names at the top of the folder that are this builder's alone.
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
