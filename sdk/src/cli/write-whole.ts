import { rename, rm } from "node:fs/promises";

/** Writes a file under another name until it is whole. `write` makes the file that it is given the path of. */
export async function writeWhole(path: string, write: (path: string) => Promise<unknown>): Promise<void> {
  const temporary = `${path}.${process.pid}.part`;
  try {
    await write(temporary);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
}
