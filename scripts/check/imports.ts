import { bad, type Check, good } from "./check.ts";
import { type Import, readSourceFiles } from "./source-files.ts";

/** The layers of src/, and their modules, in the order in which they build on each other: each imports from those before it. */
const ORDER = [
  "catalogue",
  "api",
  "renderer",
  "platform",
  ...["db", "leased-work", "durable-objects", "databases", "bindings"].map((name) => `platform/${name}`),
  ...[
    "audit",
    "keys",
    "ledger",
    "mail",
    "artifacts",
    "idempotency",
    "workspaces",
    "brands",
    "images",
    "assets",
    "jobs",
    "deliveries",
    "previews",
    "shares",
    "accounts",
    "oauth",
    "billing",
    "usage",
    "monitoring",
  ].map((name) => `domains/${name}`),
  "operations",
  ...["queue", "http", "openapi", "routes", "mcp", "oauth"].map((name) => `interface/${name}`),
  "worker.ts",
];

/** Modules that may import less than all before them. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  // It runs in workerd, Node.js and a browser alike.
  renderer: ["catalogue"],
  "platform/db": ["catalogue", "api"],
  "platform/leased-work": ["platform", "platform/db"],
  "platform/durable-objects": ["api", "platform"],
  "platform/databases": ["api", "platform", "platform/db"],
  // Money depends on no other domain's rules.
  "domains/ledger": ["api", "platform", "platform/db"],
};

/** The module of a file: its first or first two folders. */
function moduleOf(path: string): string {
  const [layer = path, part = ""] = path.split("/");
  return ORDER.includes(`${layer}/${part}`) ? `${layer}/${part}` : layer;
}

/** Modules that know HTTP's framework; nothing before them does. */
const isOfHttp = (module: string): boolean =>
  ["api", "worker.ts"].includes(module) || (module.startsWith("interface/") && module !== "interface/queue");

/** Modules side by side: a tool of agents calls operations, never a route. */
const MAY_NOT_IMPORT: Readonly<Record<string, readonly string[]>> = { "interface/mcp": ["interface/routes"] };

const mayImport = (module: string): readonly string[] => [
  module,
  ...(MAY_IMPORT[module] ?? ORDER.slice(0, ORDER.indexOf(module))).filter(
    (other) => !MAY_NOT_IMPORT[module]?.includes(other),
  ),
];

/** What is wrong with one import, or null. Paths are relative to src/. */
function fault(file: string, { specifier, target }: Import): string | null {
  const module = moduleOf(file);
  if (target === null) {
    const isHono = /^(@hono\/|hono($|\/))/.test(specifier);
    return isHono && !isOfHttp(module) ? `${file} imports ${specifier}` : null;
  }
  // A package whose exports do not name its WASM is reached by path.
  if (target.startsWith("../node_modules/")) return null;
  if (target.startsWith("..")) return `${file} imports ${specifier} from outside src/`;
  const isAllowed = mayImport(module).includes(moduleOf(target));
  return isAllowed ? null : `${file} imports ${target}`;
}

/** Whether each module of src/ imports only from those before it. */
export const checkImports: Check = {
  name: "module order",
  run: async () => {
    const files = await readSourceFiles("src");
    const faults = files.flatMap(({ path, imports }) => {
      const module = moduleOf(path);
      if (!ORDER.includes(module))
        return [`${path} is in a module that scripts/check/imports.ts does not name`];
      return imports.flatMap((one) => fault(path, one) ?? []);
    });
    const studio = await readSourceFiles("studio/src");
    const outside = studio.flatMap(({ path, imports }) =>
      imports
        .filter(({ specifier, target }) => specifier.startsWith("..") && target?.startsWith(".."))
        .map(
          ({ specifier }) =>
            `studio/src/${path} imports ${specifier} by its path: list it in the exports of package.json`,
        ),
    );
    const all = [...faults, ...outside];
    return all.length === 0 ? good(`${files.length + studio.length} files`) : bad(all.join("\n"));
  },
};
