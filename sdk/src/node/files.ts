import { FileError, SaveError } from "../errors.ts";
import type { LoadedFile, LocalFolder } from "./local-files.ts";
import { noFiles, noFolders } from "./no-files.ts";

/** Local files in Node.js, Bun and Deno. Bundles for other platforms use `no-files.ts` instead. */

/** Loads modules of Node.js; throws on other platforms. */
async function nodeModules<E extends Error>(missing: (cause: unknown) => E) {
  try {
    return await Promise.all([import("node:fs/promises"), import("node:path")]);
  } catch (error) {
    throw missing(error);
  }
}

const codeOf = (error: unknown): string | null =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : null;

const READ_REASONS: Readonly<Record<string, string>> = {
  ENOENT: "There is no such file. Check the path.",
  EACCES: "It may not be read. Check its permissions.",
  EISDIR: "It is a folder. Give the path of a file.",
};

/** Reads a file of up to `bytesMax` bytes. Throws a `FileError` if it cannot be read. */
export async function readLocalFile(
  path: string,
  bytesMax: number,
  tooLarge: (what: string) => Error,
): Promise<LoadedFile> {
  const [{ readFile, stat }, { basename }] = await nodeModules(
    (cause) => new FileError(noFiles(path), { cause }),
  );
  try {
    const { size } = await stat(path);
    if (size > bytesMax) throw tooLarge(path);
    // Copied, because Node.js may return a view of a buffer that is shared with other files.
    return { name: basename(path), bytes: new Uint8Array(await readFile(path)) };
  } catch (error) {
    const code = codeOf(error);
    if (code === null) throw error;
    throw new FileError(`${path} cannot be read: ${READ_REASONS[code] ?? code}`, { cause: error });
  }
}

const SAVE_REASONS: Readonly<Record<string, string>> = {
  ENOSPC: "The disk is full. Free some space and download again: whole files stay and are not fetched twice.",
  EFBIG: "The disk takes no files of this size. Choose another folder.",
  EDQUOT: "The quota of this disk is used up. Free some space and download again: whole files stay.",
  EACCES: "The folder may not be written. Check its permissions.",
  EROFS: "The disk is read-only. Choose another folder.",
  ENOTDIR: "A part of the path is a file. Choose another folder.",
};

const cannotSave = (path: string, error: unknown): SaveError => {
  const code = codeOf(error);
  return new SaveError(`${path} cannot be written: ${SAVE_REASONS[code ?? ""] ?? code ?? error}`, code, {
    cause: error,
  });
};

/** Opens a folder, creating it if necessary. Throws a `SaveError` if that fails. */
export async function openLocalFolder(path: string): Promise<LocalFolder> {
  const [fs, { join }] = await nodeModules((cause) => new SaveError(noFolders(path), null, { cause }));
  await fs.mkdir(path, { recursive: true }).catch((error) => Promise.reject(cannotSave(path, error)));
  const pathOf = (name: string): string => join(path, name);
  return {
    pathOf,
    find: async (name) => {
      const bytes = await fs.readFile(pathOf(name)).catch(() => null);
      return bytes === null ? null : new Uint8Array(bytes);
    },
    write: async (name, bytes) => {
      const target = pathOf(name);
      const temporary = pathOf(`.${name}.${crypto.randomUUID()}.part`);
      try {
        const handle = await fs.open(temporary, "wx");
        try {
          await handle.writeFile(bytes);
          // Without a flush, a power failure could leave an empty file, since the rename may reach the disk first.
          await handle.sync();
        } finally {
          await handle.close();
        }
        await fs.rename(temporary, target);
      } catch (error) {
        await fs.rm(temporary, { force: true }).catch(() => undefined);
        throw cannotSave(target, error);
      }
    },
  };
}
