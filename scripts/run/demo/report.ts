import { formatBytes, formatSeconds, formatTable } from "./figures.ts";
import type { MadePack } from "./make-pack.ts";

/** The pack's files as a table, then its ZIP. `drawnMs` says by size id how long the drawing took. */
export function formatFiles(
  { artifact, pack, zipName, zipBytes, renderMs }: MadePack,
  drawnMs: ReadonlyMap<string, number>,
): string {
  const rows = artifact.files.map((file) => {
    const { byteCap, verdict } = file.compliance;
    const ms = drawnMs.get(file.sizeId);
    return [
      file.fileName,
      `${file.width}×${file.height}`,
      formatBytes(file.byteLength),
      byteCap === null ? "none" : formatBytes(byteCap),
      verdict,
      ms === undefined ? "" : formatSeconds(ms),
    ];
  });
  const table = formatTable(["file", "pixels", "bytes", "cap", "verdict", "seconds"], rows);
  const zip = `demo-output/${pack.name}/${zipName}, ${formatBytes(zipBytes)}`;
  return `${table}\n  ${zip}; ${artifact.files.length} files in ${formatSeconds(renderMs)}`;
}
