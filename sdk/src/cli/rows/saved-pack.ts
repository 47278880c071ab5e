import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { isRecord, parseRecord } from "../../read-answer.ts";

/** Whether a folder contains the manifest of a job, and all files of the manifest with the right length. */
export async function isSaved(folder: string, jobId: string): Promise<boolean> {
  const text = await readFile(join(folder, "manifest.json"), "utf8").catch(() => "");
  const manifest = parseRecord(text);
  if (manifest.jobId !== jobId || !Array.isArray(manifest.files)) return false;
  for (const file of manifest.files) {
    if (!isRecord(file) || typeof file.fileName !== "string") return false;
    const found = await stat(join(folder, file.fileName)).catch(() => null);
    if (found === null || found.size !== file.byteLength) return false;
  }
  return true;
}
