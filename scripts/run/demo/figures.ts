/** Figures as people read them; 1 KB is 1,000 bytes, as in the networks' limits. */

export const formatBytes = (bytes: number): string =>
  bytes >= 1_000_000
    ? `${(bytes / 1_000_000).toFixed(1)} MB`
    : bytes >= 1_000
      ? `${(bytes / 1_000).toFixed(bytes < 10_000 ? 1 : 0)} KB`
      : `${bytes} B`;

export const formatSeconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

/** Columns padded to their widest cell; all but the first are set to the right. */
export function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((_, column) =>
    Math.max(...[head, ...rows].map((cells) => (cells[column] ?? "").length)),
  );
  const format = (cells: readonly string[]) =>
    cells
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return column === 0 ? cell.padEnd(width) : cell.padStart(width);
      })
      .join("   ");
  const rule = widths.map((width) => "─".repeat(width)).join("───");
  return [format(head), rule, ...rows.map(format)].map((line) => `  ${line}`).join("\n");
}
