import { statfs } from "node:fs/promises";

const FOLDER = "/dev/shm";
/** Several times the size of test databases and objects; containers often offer only 64 MB. */
const FREE_BYTES_MIN = 2 * 1024 ** 3;

/**
 * The system's in-memory folder, or null if there is none with enough space. For temporary databases, to avoid disk
 * writes.
 */
export async function memoryFolder(): Promise<string | null> {
  const free = await statfs(FOLDER).catch(() => null);
  return free !== null && free.bavail * free.bsize >= FREE_BYTES_MIN ? FOLDER : null;
}
