import { randomBytes } from "node:crypto";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { OperatedService } from "./operation.ts";

/**
 * Record of the worker that uses a state folder. Operators' commands send it their statements instead of opening the
 * database files.
 */

const record = z.object({ origin: z.string(), token: z.string(), pid: z.int() });

const pathIn = (stateFolder: string): string => join(stateFolder, "operated.json");

export const newToken = (): string => randomBytes(24).toString("base64url");

/** Records this process's worker. Returns a function that removes the record. */
export async function recordService(
  stateFolder: string,
  service: OperatedService,
): Promise<() => Promise<void>> {
  const path = pathIn(stateFolder);
  await writeFile(path, JSON.stringify({ ...service, pid: process.pid }), { mode: 0o600 });
  return () => rm(path, { force: true });
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** The worker that uses the folder; null if there is none, or if its process was killed. */
export async function readService(stateFolder: string): Promise<OperatedService | null> {
  const text = await readFile(pathIn(stateFolder), "utf8").catch(() => null);
  if (text === null) return null;
  const { pid, ...service } = record.parse(JSON.parse(text));
  return isRunning(pid) ? service : null;
}
