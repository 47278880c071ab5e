import { readdir, readFile } from "node:fs/promises";
import { join, posix, relative, sep } from "node:path";
import { z } from "zod";
import { inRoot } from "../local/paths.ts";

/** A module that a file imports or exports from. */
export interface Import {
  readonly specifier: string;
  /** The file, relative to the folder that was read; null for a package. */
  readonly target: string | null;
}

export interface SourceFile {
  /** Relative to the folder that was read, with forward slashes. */
  readonly path: string;
  readonly text: string;
  readonly imports: readonly Import[];
}

/** Reads every TypeScript file of a folder of the clone. */
export async function readSourceFiles(folder: string): Promise<readonly SourceFile[]> {
  const { imports: aliases } = z
    .object({ imports: z.record(z.string(), z.string()) })
    .parse(JSON.parse(await readFile(inRoot("package.json"), "utf8")));
  /** Of a specifier as `#api/errors.ts`: its file, relative to the folder. */
  const aliased = (specifier: string): string | null => {
    const layer = specifier.split("/")[0] ?? specifier;
    const path = aliases[`${layer}/*`]?.replace("*", specifier.slice(layer.length + 1));
    return path === undefined ? null : posix.relative(folder, path);
  };
  const root = inRoot(folder);
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .sort();
  return Promise.all(
    paths.map(async (path) => {
      const text = await readFile(join(root, path), "utf8");
      return { path, text, imports: importsOf(path, text, aliased) };
    }),
  );
}

/** As `readSourceFiles`, with every path relative to the clone, so that files of several folders can be told apart. */
export const readProjectFiles = async (folder: string): Promise<readonly SourceFile[]> =>
  (await readSourceFiles(folder)).map((file) => ({
    ...file,
    path: `${folder}/${file.path}`,
    imports: file.imports.map(({ specifier, target }) => ({
      specifier,
      target: target === null ? null : posix.normalize(`${folder}/${target}`),
    })),
  }));

const importsOf = (
  path: string,
  text: string,
  aliased: (specifier: string) => string | null,
): readonly Import[] =>
  [...text.matchAll(/^\s*(?:import|export)\b[^"';]*?(?:from\s*)?"([^"]+)"|import\(\s*"([^"]+)"/gm)].map(
    (match) => {
      const specifier = match[1] ?? match[2] ?? "";
      if (specifier.startsWith("#")) return { specifier, target: aliased(specifier) };
      if (!specifier.startsWith(".")) return { specifier, target: null };
      // The compiler of kernels adds the ending itself.
      const file = posix.extname(specifier) === "" ? `${specifier}.ts` : specifier;
      return { specifier, target: posix.normalize(posix.join(path, "..", file)) };
    },
  );
