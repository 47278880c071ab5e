import { bad, type Check, good } from "./check.ts";
import { type Import, readSourceFiles } from "./source-files.ts";

const NOUNS = [
  ...["accounts", "artifacts", "assets", "deliveries", "idempotency", "jobs", "keys", "ledger"],
  ...["previews", "trials", "workspaces"],
];

/** Which rooms of src/ a room may import from, besides itself. Every room must be named here. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  renderer: ["contract/catalogue"],
  db: ["contract"],
  objects: ["contract", "platform"],
  platform: ["contract", "objects", "renderer"],
  ...Object.fromEntries(NOUNS.map((noun) => [noun, ["contract", "db", "platform", "renderer", ...NOUNS]])),
  // Money depends on nobody's rules but its own.
  ledger: ["contract", "db", "platform"],
  http: ["contract", "db", "objects", "platform", ...NOUNS],
  queue: ["contract", "db", "objects", "platform", "renderer", ...NOUNS],
  openapi: ["accounts", "contract", "http", "platform"],
  routes: ["contract", "http", "openapi", "platform", "queue", ...NOUNS],
  "worker.ts": ["http", "objects", "platform", "queue", "routes"],
};

/** Rooms that know nothing of HTTP. */
const WITHOUT_HONO = ["db", "objects", "platform", "queue", "renderer", ...NOUNS];

/** What is wrong with one import, or null. Paths are relative to src/. */
function fault(file: string, { specifier, target }: Import): string | null {
  const room = file.split("/")[0] ?? file;
  if (target === null) {
    const isHono = /^(@hono\/|hono($|\/))/.test(specifier);
    return isHono && WITHOUT_HONO.includes(room) ? `${file} imports ${specifier}` : null;
  }
  // A package whose exports do not name its WASM is reached by path.
  if (target.startsWith("../node_modules/")) return null;
  if (target.startsWith("..")) return `${file} imports ${specifier} from outside src/`;
  const isAllowed = [room, ...(MAY_IMPORT[room] ?? [])].some(
    (prefix) => target === prefix || target.startsWith(`${prefix}/`),
  );
  return isAllowed ? null : `${file} imports ${target}`;
}

/** Whether each room of src/ imports only from the rooms below it. */
export const checkImports: Check = {
  name: "import rules",
  run: async () => {
    const files = await readSourceFiles("src");
    const faults: string[] = [];
    for (const { path, imports } of files) {
      const room = path.split("/")[0] ?? path;
      if (!(room in MAY_IMPORT))
        faults.push(`${path} is in a room that scripts/check/imports.ts does not name`);
      faults.push(...imports.flatMap((one) => fault(path, one) ?? []));
    }
    return faults.length === 0 ? good(`${files.length} files`) : bad(faults.join("\n"));
  },
};
