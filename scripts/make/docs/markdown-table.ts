/** Markdown tables, and their insertion into documents between `<!-- generated: NAME -->` and `<!-- end -->`. */
import { Failure } from "../../local/failure.ts";

export const code = (text: string): string => `\`${text}\``;
export const codes = (texts: readonly string[]): string => texts.map(code).join(", ");
export const count = (value: number): string => value.toLocaleString("en-US");

/** A Markdown table with aligned columns, as the formatter writes it. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((_, column) =>
    Math.max(3, ...[head, ...rows].map((row) => [...(row[column] ?? "")].length)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n");
}

const MARKED = /<!-- generated: ([a-z0-9-]+) -->\n[\s\S]*?<!-- end -->/g;

/**
 * Replaces the generated tables of a document. Throws a Failure unless each marked place has a table and each table a
 * place.
 */
export function withTables(
  path: string,
  text: string,
  tables: Readonly<Record<string, string | undefined>>,
): string {
  const written = new Set<string>();
  const filled = text.replace(MARKED, (_, name: string) => {
    const table = tables[name];
    if (table === undefined) throw new Failure(`${path} marks a table \`${name}\` that no source makes.`);
    written.add(name);
    return `<!-- generated: ${name} -->\n\n${table}\n\n<!-- end -->`;
  });
  const missing = Object.keys(tables).filter((name) => !written.has(name));
  if (missing.length > 0) throw new Failure(`${path} has no place for the tables ${missing.join(", ")}.`);
  return filled;
}
