import { sha256Hex } from "../digest.ts";
import { SaveError } from "../errors.ts";
import type { RequestOptions } from "../options.ts";
import type { Artifact, ArtifactFile } from "../types.ts";

/** Receives each file of a pack, complete and verified. The last call passes `manifest.json`, with null as `file`. */
export type PackWriter = (
  name: string,
  bytes: Uint8Array<ArrayBuffer>,
  file: ArtifactFile | null,
) => Promise<void> | void;

export interface DownloadOptions extends RequestOptions {
  /** Called after each file. */
  readonly onProgress?: ((progress: DownloadProgress) => void) | undefined;
  /** Concurrent downloads. Default: 4. */
  readonly concurrency?: number | undefined;
}

export interface DownloadProgress {
  readonly doneFiles: number;
  readonly totalFiles: number;
}

/** A downloaded file. */
export interface SavedFile {
  readonly file: ArtifactFile;
  /** Null if it was passed to a writer. */
  readonly path: string | null;
  /** Whether the file already existed and was not downloaded. */
  readonly wasSkipped: boolean;
}

/** No other file of a pack has this name, because files are named after their size. */
const MANIFEST_NAME = "manifest.json";
const FILES_AT_A_TIME = 4;

/** The folder or writer that receives the files. */
interface Target {
  readonly has: (file: ArtifactFile) => Promise<boolean>;
  readonly pathOf: (name: string) => string | null;
  readonly write: PackWriter;
}

/** Downloads the files of a manifest to a folder or a writer, then the manifest. */
export async function downloadPack(
  manifest: Artifact,
  fetchBytes: (file: ArtifactFile) => Promise<Uint8Array<ArrayBuffer>>,
  to: string | PackWriter,
  { onProgress, concurrency = FILES_AT_A_TIME }: DownloadOptions,
): Promise<readonly SavedFile[]> {
  const { files } = manifest;
  for (const { fileName } of files) requirePlainName(fileName);
  const target = typeof to === "string" ? await folderTarget(to) : writerTarget(to);
  const saved: SavedFile[] = [];
  let doneFiles = 0;
  const bring = async (file: ArtifactFile, at: number): Promise<void> => {
    const wasSkipped = await target.has(file);
    if (!wasSkipped) await target.write(file.fileName, await fetchBytes(file), file);
    saved[at] = { file, path: target.pathOf(file.fileName), wasSkipped };
    doneFiles += 1;
    onProgress?.({ doneFiles, totalFiles: files.length });
  };
  await inParallel(Math.max(1, concurrency), files, bring);
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  await target.write(MANIFEST_NAME, new Uint8Array(new TextEncoder().encode(text)), null);
  return saved;
}

/**
 * Processes up to `count` items at a time. After a failure it starts no more items, waits for those running, and
 * throws.
 */
export async function inParallel<T>(
  count: number,
  items: readonly T[],
  work: (item: T, at: number) => Promise<void>,
): Promise<void> {
  const waiting = items.entries();
  const failures: unknown[] = [];
  const worker = async (): Promise<void> => {
    for (const [at, item] of waiting) {
      if (failures.length > 0) return;
      await work(item, at).catch((error) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: Math.min(count, items.length) }, worker));
  if (failures.length > 0) throw failures[0];
}

/** Rejects names that point outside the folder. The service never returns any. */
function requirePlainName(name: string): void {
  if (/^[^/\\\0]+$/.test(name) && !/^\.{1,2}$/.test(name)) return;
  throw new SaveError(
    `The pack names a file \`${name}\`, which is no plain file name. Nothing was written.`,
    null,
  );
}

const writerTarget = (write: PackWriter): Target => ({
  has: async () => false,
  pathOf: () => null,
  write,
});

async function folderTarget(path: string): Promise<Target> {
  const { openLocalFolder } = await import("../node/files.ts");
  const folder = await openLocalFolder(path);
  return {
    has: async ({ fileName, byteLength, checksum }) => {
      const bytes = await folder.find(fileName);
      return bytes?.byteLength === byteLength && (await sha256Hex(bytes)) === checksum.value;
    },
    pathOf: folder.pathOf,
    write: folder.write,
  };
}
