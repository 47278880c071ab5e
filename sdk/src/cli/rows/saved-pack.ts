import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";

/** Whether a folder holds every file of its manifest in full length. The manifest is written last. */
export async function isSaved(folder: string, jobId: string): Promise<boolean> {
  const manifest = parseManifest(await readFile(join(folder, "manifest.json"), "utf8").catch(() => ""));
  if (manifest === null || manifest.jobId !== jobId) return false;
  for (const { fileName, byteLength } of manifest.files) {
    const found = await stat(join(folder, fileName)).catch(() => null);
    if (found?.size !== byteLength) return false;
  }
  return true;
}

interface WrittenManifest {
  readonly jobId: string;
  readonly files: readonly { readonly fileName: string; readonly byteLength: number }[];
}

/** Null for what is no manifest that this package wrote. */
function parseManifest(text: string): WrittenManifest | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || !("jobId" in value) || !("files" in value))
      return null;
    const { jobId, files } = value;
    if (typeof jobId !== "string" || !Array.isArray(files)) return null;
    const isFile = (file: unknown): file is WrittenManifest["files"][number] =>
      typeof file === "object" &&
      file !== null &&
      "fileName" in file &&
      typeof file.fileName === "string" &&
      "byteLength" in file &&
      typeof file.byteLength === "number";
    return files.every(isFile) ? { jobId, files } : null;
  } catch {
    return null;
  }
}
