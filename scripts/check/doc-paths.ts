import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { inRoot } from "../local/paths.ts";
import { bad, type Check, good } from "./check.ts";

/** Folders that relative file names may start from, besides the document's own folder and its parents. */
const BASES = [
  "",
  "src",
  "src/renderer",
  "src/platform",
  "src/platform/db",
  "src/domains",
  "src/interface",
  "scripts",
  "test",
  "bench",
];

/** A file or folder in backticks: with a slash or a known extension, and without blanks, stars or placeholders. */
const NAMED = /`((?:\.{1,2}\/)?[\w.-]+(?:\/[\w.-]+)*\/?)`/g;
const isPath = (name: string): boolean =>
  /\.(ts|mjs|md|json|sql|toml|wasm|ttf|png)$/.test(name) ||
  /^(src|test|scripts|bench|docs|schema|migrations)\//.test(name);

/** Files that are not in the repository: created by a command or by the reader, or part of another project. */
const OUTSIDE_REPOSITORY =
  /(^|\/)(manifest|openapi)\.json$|^iab-300x250\.png$|^first-pack\.mjs$|^(bench\/results|node_modules|dist|\.cache|\.wrangler|packs)\b|\.env$|^wrangler\.staging\.toml$/;

/** The folders in which a document's file names are resolved. */
function foldersOf(document: string): readonly string[] {
  const above: string[] = [];
  for (let folder = dirname(document); folder !== "."; folder = dirname(folder)) above.push(folder);
  return [...above, ...BASES];
}

/** Checks that every file named in a document exists. */
export const checkDocumentPaths: Check = {
  name: "files that documents name",
  run: async () => {
    const documents = globSync("**/*.md", {
      cwd: inRoot("."),
      exclude: (name) => /^(node_modules|dist|\..+)$/.test(name.split("/").at(-1) ?? name),
    });
    // A bare name such as `store.ts` may match any folder.
    const names = new Set(globSync("src/**/*.ts", { cwd: inRoot(".") }).map((path) => basename(path)));
    let count = 0;
    const faults = documents.flatMap((document) =>
      [...readFileSync(inRoot(document), "utf8").matchAll(NAMED)].flatMap(([, name = ""]) => {
        if (!isPath(name) || OUTSIDE_REPOSITORY.test(name)) return [];
        count += 1;
        const isThere =
          names.has(name) || foldersOf(document).some((folder) => existsSync(inRoot(join(folder, name))));
        return isThere ? [] : [`${document} names ${name}, which is not there`];
      }),
    );
    return faults.length === 0
      ? good(`${count} names in ${documents.length} documents`)
      : bad(faults.join("\n"));
  },
};
