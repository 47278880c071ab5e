/** Writes the tables of docs/api.md that come from the source, between their marks. `--check` only compares. */
import { readFile, writeFile } from "node:fs/promises";
import { API_TABLES } from "./docs/api-tables.ts";
import { readCheckOption } from "./local/check-option.ts";
import { Failure, runScript } from "./local/failure.ts";
import { inRoot } from "./local/paths.ts";

const PATH = "docs/api.md";
const MARKED = /<!-- generated: ([a-z-]+) -->\n[\s\S]*?<!-- end -->/g;

/** The text with each marked table as the source has it. */
function withTables(text: string): string {
  const written = new Set<string>();
  const filled = text.replace(MARKED, (_, name: string) => {
    const table = API_TABLES[name];
    if (table === undefined) throw new Failure(`${PATH} marks a table \`${name}\` that no source makes.`);
    written.add(name);
    return `<!-- generated: ${name} -->\n\n${table}\n\n<!-- end -->`;
  });
  const missing = Object.keys(API_TABLES).filter((name) => !written.has(name));
  if (missing.length > 0) throw new Failure(`${PATH} has no place for the tables ${missing.join(", ")}.`);
  return filled;
}

if (import.meta.main) {
  await runScript(async () => {
    const text = await readFile(inRoot(PATH), "utf8");
    const filled = withTables(text);
    if (!readCheckOption()) return writeFile(inRoot(PATH), filled);
    if (filled !== text) throw new Failure(`Out of date: ${PATH}. Run: npm run api:tables`);
  });
}
