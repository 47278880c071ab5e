import { readdir, readFile } from "node:fs/promises";
import { join, posix, relative, sep } from "node:path";
import { z } from "zod";
import { inRoot } from "../local/paths.ts";

/** A module that a file imports or re-exports. */
export interface Import {
  readonly specifier: string;
  /** File relative to the folder that was read; null for a package. */
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
  const aliases = await readAliases(folder);
  /**
   * Resolves a specifier such as `#api/errors.ts` or `creative-packs-service/limits` to a file, relative to the folder.
   */
  const aliased = (specifier: string): string | null => {
    for (const [pattern, path] of aliases) {
      const [start = "", end] = pattern.split("*");
      if (
        end === undefined ? specifier !== pattern : !(specifier.startsWith(start) && specifier.endsWith(end))
      )
        continue;
      const rest = specifier.slice(start.length, specifier.length - (end ?? "").length);
      return posix.relative(folder, path.replace("*", rest));
    }
    return null;
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

/** Like `readSourceFiles`, with paths relative to the clone, so that files of several folders can be combined. */
export const readProjectFiles = async (folder: string): Promise<readonly SourceFile[]> =>
  (await readSourceFiles(folder)).map((file) => ({
    ...file,
    path: `${folder}/${file.path}`,
    imports: file.imports.map(({ specifier, target }) => ({
      specifier,
      target: target === null ? null : posix.normalize(`${folder}/${target}`),
    })),
  }));
const manifestSchema = z.object({
  name: z.string(),
  imports: z.record(z.string(), z.string()).default({}),
  exports: z.record(z.string(), z.string()).default({}),
});

const readManifest = async (folder: string) =>
  manifestSchema.parse(JSON.parse(await readFile(inRoot(join(folder, "package.json")), "utf8")));

/** Specifier patterns and their files: the `imports` of the folder's package, and the exports of the service. */
async function readAliases(folder: string): Promise<readonly (readonly [pattern: string, path: string])[]> {
  const own = folder.startsWith("studio") ? "studio" : ".";
  const [{ imports }, service] = await Promise.all([readManifest(own), readManifest(".")]);
  return [
    ...Object.entries(imports).map(([pattern, path]) => [pattern, posix.join(own, path)] as const),
    ...Object.entries(service.exports).map(
      ([name, path]) => [posix.join(service.name, name), posix.normalize(path)] as const,
    ),
  ];
}

const importsOf = (
  path: string,
  text: string,
  aliased: (specifier: string) => string | null,
): readonly Import[] =>
  [...text.matchAll(/^\s*(?:import|export)\b[^"';]*?(?:from\s*)?"([^"]+)"|import\(\s*"([^"]+)"/gm)].map(
    (match) => {
      const specifier = match[1] ?? match[2] ?? "";
      if (!specifier.startsWith(".")) return { specifier, target: aliased(specifier) };
      // Kernels import without extension, because their compiler adds it.
      const file = posix.extname(specifier) === "" ? `${specifier}.ts` : specifier;
      return { specifier, target: posix.normalize(posix.join(path, "..", file)) };
    },
  );
