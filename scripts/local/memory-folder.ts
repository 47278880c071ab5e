import { statfs } from "node:fs/promises";

const FOLDER = "/dev/shm";
/** Several times what the databases and objects of any run of tests take; containers often lend 64 MB only. */
const FREE_BYTES_MIN = 2 * 1024 ** 3;

/**
 * The folder that the system keeps in memory, or null where there is none or not enough of it. For what is thrown away
 * after a run: databases there write to no disk.
 */
export async function memoryFolder(): Promise<string | null> {
  const free = await statfs(FOLDER).catch(() => null);
  return free !== null && free.bavail * free.bsize >= FREE_BYTES_MIN ? FOLDER : null;
}
