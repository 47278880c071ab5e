import { bad, type Check, good } from "./check.ts";
import { readProjectFiles, readSourceFiles, type SourceFile } from "./source-files.ts";

/**
 * Folders and files of modules, ordered so that each imports only from those before it. A folder excludes subfolders
 * that are listed separately.
 */
const ORDERS: Readonly<Record<string, readonly string[]>> = {
  "domains/accounts": [
    ...["store.ts", "account-mail.ts", "password", "members", "sign-in", "email-address"],
    ...["free-size.ts", "operator-store.ts", "operator-access.ts"],
  ],
  "domains/billing": [
    ...["events", "stripe", "payments", "subscriptions", "purchases", "apply-event.ts"],
    ...["overview-store.ts", "overview.ts", "reconcile-store.ts", "reconcile.ts"],
  ],
  renderer: [
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
    "mark",
    "colour",
    "type",
    "svg",
    "decode",
    "encode",
    "faces",
    "engine.ts",
    "subjects",
    "focus",
    ...["layout/design", "layout/pictures", "layout/words", "layout/arrangements", "layout"],
    "compose",
    "words-fit.ts",
    "motion",
    "html5",
    "compliance.ts",
    "render-animation.ts",
    "render-video.ts",
    "render.ts",
    "preview",
    "index.ts",
  ],
};

const FOLDERS = ["src", "studio", "sdk", "scripts", "bench", "test"];

/**
 * Checks that files have no import cycles, including type imports, and that a module's folders import only from those
 * listed before them.
 */
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

/**
 * The cycles that a depth-first search of the imports finds, each as a list of files that begins and ends with the same
 * file.
 */
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

/** The module of `ORDERS` that contains a file, and the position of the file's folder in that order. */
function placeOf(path: string): { readonly module: string; readonly place: number } | null {
  const module = Object.keys(ORDERS).find((name) => path.startsWith(`${name}/`));
  if (module === undefined) return null;
  const [part = "", inside = ""] = path.slice(module.length + 1).split("/");
  const order = ORDERS[module] ?? [];
  const place = order.indexOf(`${part}/${inside}`);
  return { module, place: place < 0 ? order.indexOf(part) : place };
}

function orderFaults(files: readonly SourceFile[]): readonly string[] {
  return files.flatMap(({ path, imports }) => {
    const own = placeOf(path);
    if (own === null) return [];
    if (own.place < 0) return [`${path} is not in the order that scripts/check/import-cycles.ts names`];
    return imports.flatMap(({ target }) => {
      const other = target === null ? null : placeOf(target);
      const isLater = other?.module === own.module && other.place > own.place;
      return isLater ? [`${path} imports ${target}, which builds on it`] : [];
    });
  });
}
