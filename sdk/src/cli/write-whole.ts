import { rename, rm } from "node:fs/promises";
import { SaveError } from "../index.ts";

/** Writes a file atomically: `write` creates a temporary file, which is then renamed. */
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

/** The error for a file that cannot be written. `advice` is appended to its message. */
export function cannotWrite(path: string, error: unknown, advice = ""): SaveError {
  const code = error instanceof Error && "code" in error ? String(error.code) : null;
  return new SaveError(`${path} cannot be written: ${code ?? error}.${advice}`, code, { cause: error });
}
