/**
 * Writes generated parts of the documents: tables after `<!-- generated: NAME -->`, and drawings of sizes. `--check`
 * only compares.
 */
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { SIZES } from "#catalogue/sizes.ts";
import { readCheckOption } from "../local/check-option.ts";
import { Failure, runScript } from "../local/failure.ts";
import { inRoot } from "../local/paths.ts";
import { API_TABLES } from "./docs/api-tables.ts";
import { ERROR_SECTIONS } from "./docs/error-sections.ts";
import { FIGURES_TABLE } from "./docs/figures-table.ts";
import { withTables } from "./docs/markdown-table.ts";
import { drawSize } from "./docs/size-drawings.ts";
import { SIZE_TABLES } from "./docs/size-tables.ts";

const DRAWINGS = "docs/guides/sizes";

const { families, clients, jobs } = API_TABLES;

/** Document → its tables, by their name in `<!-- generated: NAME -->`. */
const DOCUMENTS: Readonly<Record<string, Readonly<Record<string, string | undefined>>>> = {
  "docs/api.md": API_TABLES,
  "docs/guides/errors.md": { "error-codes": ERROR_SECTIONS },
  "docs/guides/rate-limits.md": { families, clients, jobs },
  "docs/guides/sizes.md": SIZE_TABLES,
  "docs/operations.md": { figures: FIGURES_TABLE },
};

/** Expected content of every generated file, by its path in the clone. */
async function generate(): Promise<ReadonlyMap<string, string>> {
  const documents = await Promise.all(
    Object.entries(DOCUMENTS).map(
      async ([path, tables]) =>
        [path, withTables(path, await readFile(inRoot(path), "utf8"), tables)] as const,
    ),
  );
  const drawings = SIZES.map((size) => [`${DRAWINGS}/${size.sizeId}.svg`, drawSize(size)] as const);
  return new Map([...documents, ...drawings]);
}

/** Drawings of sizes that the catalogue no longer has. */
async function leftOver(wanted: ReadonlyMap<string, string>): Promise<readonly string[]> {
  const names = await readdir(inRoot(DRAWINGS)).catch(() => []);
  return names.map((name) => `${DRAWINGS}/${name}`).filter((path) => !wanted.has(path));
}

async function findStale(wanted: ReadonlyMap<string, string>): Promise<readonly string[]> {
  const states = await Promise.all(
    [...wanted].map(async ([path, text]) => ({
      path,
      isStale: (await readFile(inRoot(path), "utf8").catch(() => null)) !== text,
    })),
  );
  return states.filter(({ isStale }) => isStale).map(({ path }) => path);
}

if (import.meta.main) {
  await runScript(async () => {
    const wanted = await generate();
    const stale = await findStale(wanted);
    const others = await leftOver(wanted);
    if (readCheckOption()) {
      const faults = [...stale, ...others];
      if (faults.length > 0) throw new Failure(`Out of date: ${faults.join(", ")}. Run: npm run api:tables`);
      return;
    }
    await mkdir(inRoot(DRAWINGS), { recursive: true });
    for (const path of stale) await writeFile(inRoot(path), wanted.get(path) ?? "");
    for (const path of others) await rm(inRoot(path));
  });
}
