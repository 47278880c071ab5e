/**
 * Writes what of the client library and of the Studio is generated, from schema/openapi.json. `--check` only compares.
 * The shapes come from redocly's client generator; of its client nothing is used, for the library's own does more.
 */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readCheckOption } from "./local/check-option.ts";
import { Failure, runScript } from "./local/failure.ts";
import { inRoot } from "./local/paths.ts";
import { requireTool } from "./local/tool.ts";
import { operationsFile } from "./sdk/operations-file.ts";

const DOCUMENT = "schema/openapi.json";
const SHAPES = "sdk/src/generated/schemas.ts";
const OPERATIONS = "sdk/src/generated/operations.ts";
const ACCOUNT_OPERATIONS = "studio/src/api/generated/account-operations.ts";

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

await runScript(async () => {
  const document = JSON.parse(await readFile(inRoot(DOCUMENT), "utf8"));
  const files: readonly (readonly [string, string])[] = [
    [SHAPES, await generateShapes()],
    [OPERATIONS, operationsFile(document, { isAccount: false, shapesModule: "./schemas.ts" })],
    [
      ACCOUNT_OPERATIONS,
      operationsFile(document, {
        isAccount: true,
        shapesModule: "creative-packs/internal",
      }),
    ],
  ];
  if (!readCheckOption()) {
    await Promise.all(files.map(([path, text]) => writeFile(inRoot(path), text)));
    return;
  }
  const stale: string[] = [];
  for (const [path, text] of files) {
    if ((await readFile(inRoot(path), "utf8").catch(() => null)) !== text) stale.push(path);
  }
  if (stale.length > 0) throw new Failure(`Out of date: ${stale.join(", ")}. Run: npm run sdk:types`);
});
