import { Failure } from "../../local/failure.ts";

const MARKED = /<!-- generated: ([a-z0-9-]+) -->\n[\s\S]*?<!-- end -->/g;

/** A document's text with each marked table as the source has it. Throws a Failure where a mark or a table is left over. */
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
