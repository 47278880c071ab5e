import { posix } from "node:path";
import { bad, type Check, good } from "./check.ts";
import { readProjectFiles, type SourceFile } from "./source-files.ts";

const FOLDERS = ["src", "test", "bench", "scripts", "studio"];

/** Files whose exports are used by a tool: the platform, drizzle-kit, vitest and the kernels' compiler. */
const READ_BY_TOOLS = [
  /^src\/worker\.ts$/,
  /^bench\/workers\//,
  /^scripts\/local\/dev-worker\.ts$/,
  /^test\/stress\/workers\/with-database-access\.ts$/,
  /^src\/platform\/db\/schema\//,
  // Sets of constants may export members that only their own file uses.
  /^src\/renderer\/kernels\//,
  /^scripts\/test\/mutants\/mutate-source\.ts$/,
  /\.d\.ts$/,
  /\.config\.ts$/,
  /^studio\/src\/api\/generated\//,
];

/** Checks that another file imports each exported name. */
export const checkUnusedExports: Check = {
  name: "no unused exports",
  run: async () => {
    const files = (await Promise.all(FOLDERS.map(readProjectFiles))).flat();
    const used = usedNames(files);
    const unused = files.flatMap(({ path, text }) =>
      READ_BY_TOOLS.some((pattern) => pattern.test(path))
        ? []
        : exportedNames(text)
            .filter((name) => !used.has(`${path}#${name}`) && !used.has(`${path}#*`))
            .map((name) => `${path} exports ${name}, which no other file imports`),
    );
    return unused.length === 0 ? good(`${files.length} files`) : bad(unused.join("\n"));
  },
};

/**
 * Names of a file's exported values and re-exports, and of exported types that the file itself does not use. A type
 * that the file uses is exported for readers of its signatures, so no other file has to import it.
 */
function exportedNames(source: string): readonly string[] {
  // Scripts that generate code contain `export` in template literals, too.
  const text = source.replace(/`[^`]*`/g, "``");
  const values = [
    ...text.matchAll(/^export (?:abstract )?(?:async )?(?:const|let|function\*?|class|enum) (\w+)/gm),
  ].map((match) => match[1] ?? "");
  const types = [...text.matchAll(/^export (?:declare )?(?:interface|type) (\w+)/gm)]
    .map((match) => match[1] ?? "")
    .filter((name) => text.match(new RegExp(`\\b${name}\\b`, "g"))?.length === 1);
  const listed = [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap((match) =>
    namesOf(match[1] ?? "").map(({ given }) => given),
  );
  return [...values, ...types, ...listed];
}

/** `file#name` for every imported name; `file#*` for a whole module. */
function usedNames(files: readonly SourceFile[]): ReadonlySet<string> {
  const used = new Set<string>();
  for (const { path, text, imports } of files) {
    const targets = new Map(imports.map(({ specifier, target }) => [specifier, target]));
    const use = (specifier: string, name: string): void => {
      const target = targets.get(specifier);
      if (target != null) used.add(`${target}#${name}`);
    };
    for (const [, list = "", specifier = ""] of text.matchAll(
      /^(?:import|export) (?:type )?\{([^}]*)\} from "([^"]+)"/gm,
    )) {
      for (const { taken } of namesOf(list)) use(specifier, taken);
    }
    for (const [, from, called] of text.matchAll(
      /^(?:import|export) (?:type )?\* (?:as \w+ )?from "([^"]+)"|import\(\s*"([^"]+)"/gm,
    )) {
      use(from ?? called ?? "", "*");
    }
    // Tests start workers and scripts by path.
    for (const [, named = ""] of text.matchAll(/new URL\("([^"]+\.ts)"/g)) {
      used.add(`${posix.normalize(posix.join(path, "..", named))}#*`);
    }
  }
  return used;
}

/** For `type a as b, c`: the imported names and their local names. */
const namesOf = (list: string): readonly { readonly taken: string; readonly given: string }[] =>
  list
    .split(",")
    .map((part) => part.trim().replace(/^type /, ""))
    .filter((part) => part !== "")
    .map((part) => {
      const [taken = "", given = taken] = part.split(" as ");
      return { taken, given };
    });
