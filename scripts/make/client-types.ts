/**
 * Generates the SDK's types and the Studio's table of account operations from schema/openapi.json, if they are missing
 * or older.
 *
 * The types come from redocly's client generator; the SDK replaces its client. `npm ci`, scripts/bootstrap.mjs before
 * each command, and makeAssets before each build and test run this.
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

/** The document's types, as the generator writes them. */
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

/** Replaces a file atomically, because another process may read it. */
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
