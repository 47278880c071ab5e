import { FileError, SaveError } from "../errors.ts";
import type { LoadedFile, LocalFolder } from "./local-files.ts";

/** Replaces `files.ts` in bundles for browsers, which have no local files. */

export const noFiles = (path: string): string =>
  `${path} cannot be read here: give a Blob, a File or bytes instead of a path.`;

export const noFolders = (path: string): string =>
  `${path} cannot be written here: give a function that takes each file instead of a path.`;

export async function readLocalFile(path: string): Promise<LoadedFile> {
  throw new FileError(noFiles(path));
}

export async function openLocalFolder(path: string): Promise<LocalFolder> {
  throw new SaveError(noFolders(path), null);
}
