import { bad, type Check, good } from "./check.ts";
import { type Import, readSourceFiles } from "./source-files.ts";

/** The layers of src/ and their modules, ordered so that each imports only from those before it. */
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

/** The allowed imports of modules that may not import everything listed before them. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  // Runs in workerd, Node.js and browsers.
  renderer: ["catalogue"],
  "platform/db": ["catalogue", "api"],
  "platform/leased-work": ["platform", "platform/db"],
  "platform/durable-objects": ["api", "platform"],
  "platform/databases": ["api", "platform", "platform/db"],
  // The ledger depends on no other domain.
  "domains/ledger": ["api", "platform", "platform/db"],
};

/** Module of a file: its first or first two folders. */
function moduleOf(path: string): string {
  const [layer = path, part = ""] = path.split("/");
  return ORDER.includes(`${layer}/${part}`) ? `${layer}/${part}` : layer;
}

/** The only modules that may import the HTTP framework. */
const isOfHttp = (module: string): boolean =>
  ["api", "worker.ts"].includes(module) || (module.startsWith("interface/") && module !== "interface/queue");

/** Independent modules: an MCP tool calls operations, never a route. */
const MAY_NOT_IMPORT: Readonly<Record<string, readonly string[]>> = { "interface/mcp": ["interface/routes"] };

const mayImport = (module: string): readonly string[] => [
  module,
  ...(MAY_IMPORT[module] ?? ORDER.slice(0, ORDER.indexOf(module))).filter(
    (other) => !MAY_NOT_IMPORT[module]?.includes(other),
  ),
];

/** The problem with an import, or null. Paths are relative to src/. */
function fault(file: string, { specifier, target }: Import): string | null {
  const module = moduleOf(file);
  if (target === null) {
    const isHono = /^(@hono\/|hono($|\/))/.test(specifier);
    return isHono && !isOfHttp(module) ? `${file} imports ${specifier}` : null;
  }
  // A package whose exports do not include its WASM is imported by path.
  if (target.startsWith("../node_modules/")) return null;
  if (target.startsWith("..")) return `${file} imports ${specifier} from outside src/`;
  const isAllowed = mayImport(module).includes(moduleOf(target));
  return isAllowed ? null : `${file} imports ${target}`;
}

/** Checks that each module of src/ imports only from those before it. */
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
