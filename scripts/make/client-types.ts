/**
 * Makes the types of the client library and the Studio's table of account operations from schema/openapi.json, where they are
 * missing or older. The shapes come from redocly's client generator; of its client nothing is used, for the library's own does
 * more. `npm ci` runs it, scripts/bootstrap.mjs runs it before each command, and makeAssets before each build and test.
 */
import { mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { runScript } from "../local/failure.ts";
import { inRoot } from "../local/paths.ts";
import { requireTool } from "../local/tool.ts";
import { operationsFile } from "./sdk/operations-file.ts";

const DOCUMENT = "schema/openapi.json";
const SOURCES = [DOCUMENT, "scripts/make/client-types.ts", "scripts/make/sdk/operations-file.ts"];
const SHAPES = "sdk/src/generated/schemas.ts";
const OPERATIONS = "sdk/src/generated/operations.ts";
const ACCOUNT_OPERATIONS = "studio/src/api/generated/account-operations.ts";

const modifiedMs = async (path: string): Promise<number> =>
  (await stat(inRoot(path)).catch(() => null))?.mtimeMs ?? 0;

async function areCurrent(): Promise<boolean> {
  const made = await Promise.all([SHAPES, OPERATIONS, ACCOUNT_OPERATIONS].map(modifiedMs));
  return Math.min(...made) >= Math.max(...(await Promise.all(SOURCES.map(modifiedMs))));
}

/** The shapes of the document, as the generator writes them beside a client. */
async function generateShapes(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "creative-packs-types-"));
  try {
    await requireTool(
      "Generating types",
      "redocly",
      ["generate-client", DOCUMENT, "--output", join(folder, "client.ts"), "--output-mode", "split"],
      { REDOCLY_SUPPRESS_UPDATE_NOTICE: "true", REDOCLY_TELEMETRY: "off" },
    );
    return await readFile(join(folder, "client.schemas.ts"), "utf8");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Replaces a file at once: another process may be reading it. */
async function replaceFile(path: string, text: string): Promise<void> {
  const part = inRoot(`${path}.${process.pid}`);
  await mkdir(dirname(part), { recursive: true });
  await writeFile(part, text);
  await rename(part, inRoot(path));
}

export async function makeClientTypes(): Promise<void> {
  if (await areCurrent()) return;
  const document = JSON.parse(await readFile(inRoot(DOCUMENT), "utf8"));
  await replaceFile(SHAPES, await generateShapes());
  await replaceFile(OPERATIONS, operationsFile(document, { isAccount: false, shapesModule: "./schemas.ts" }));
  await replaceFile(
    ACCOUNT_OPERATIONS,
    operationsFile(document, { isAccount: true, shapesModule: "creative-packs/internal" }),
  );
}

if (import.meta.main) await runScript(makeClientTypes);
