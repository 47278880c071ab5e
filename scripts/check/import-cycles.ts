import { bad, type Check, good } from "./check.ts";
import { readProjectFiles, readSourceFiles, type SourceFile } from "./source-files.ts";

/** Folders and files of src/renderer in the order in which they build on each other: each imports from those before it.
 *  A folder stands for what is in it and not in a folder named on its own. */
const RENDERER_ORDER = [
  "types.ts",
  "globals.d.ts",
  "version.ts",
  "crc32.ts",
  "codec.ts",
  "buffers.ts",
  "best-scored.ts",
  "box-geometry.ts",
  "fonts",
  "look",
  "kernels",
  "vector",
  "raster",
  "colour",
  "type",
  "svg",
  "decode",
  "encode",
  "faces",
  "engine.ts",
  "focus",
  "layout/design",
  "layout/pictures",
  "layout/words",
  "layout/arrangements",
  "layout",
  "compose",
  "words-fit.ts",
  "motion",
  "compliance.ts",
  "render.ts",
  "preview",
  "index.ts",
];

const FOLDERS = ["src", "studio", "sdk", "scripts", "bench", "test"];

/** Whether files import each other in no circle, types included, and the renderer's folders in one order. */
export const checkImportCycles: Check = {
  name: "no import cycles",
  run: async () => {
    const files = (await Promise.all(FOLDERS.map(readProjectFiles))).flat();
    const faults = [
      ...cyclesOf(files).map((cycle) => cycle.join(" -> ")),
      ...orderFaults(await readSourceFiles("src")),
    ];
    return faults.length === 0 ? good(`${files.length} files`) : bad(faults.join("\n"));
  },
};

/** One circle of each file that closes one, found by going through the imports depth first. */
function cyclesOf(files: readonly SourceFile[]): readonly (readonly string[])[] {
  const targets = new Map(
    files.map(({ path, imports }) => [path, imports.flatMap(({ target }) => target ?? [])]),
  );
  const done = new Set<string>();
  const cycles: string[][] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path);
    if (start >= 0) cycles.push([...trail.slice(start), path]);
    if (start >= 0 || done.has(path)) return;
    for (const target of targets.get(path) ?? []) visit(target, [...trail, path]);
    done.add(path);
  };
  for (const { path } of files) visit(path, []);
  return cycles;
}

function orderFaults(files: readonly SourceFile[]): readonly string[] {
  const placeOf = (path: string): number | null => {
    const [folder, part = "", inside = ""] = path.split("/");
    if (folder !== "renderer") return null;
    const place = RENDERER_ORDER.indexOf(`${part}/${inside}`);
    return place < 0 ? RENDERER_ORDER.indexOf(part) : place;
  };
  return files.flatMap(({ path, imports }) => {
    const place = placeOf(path);
    if (place === null) return [];
    if (place < 0) return [`${path} is not in the order that scripts/check/import-cycles.ts names`];
    return imports.flatMap(({ target }) => {
      const other = target === null ? null : placeOf(target);
      return other !== null && other > place ? [`${path} imports ${target}, which builds on it`] : [];
    });
  });
}
