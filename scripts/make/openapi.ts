/**
 * Writes files derived from the route declarations: the OpenAPI document, the manifest's schema, and the Postman
 * collection. `--check` only compares.
 */
import "./openapi/binary-imports.ts";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { readCheckOption } from "../local/check-option.ts";
import { Failure, runScript } from "../local/failure.ts";
import { inRoot } from "../local/paths.ts";
import { postmanCollection } from "./docs/postman-collection.ts";
import { parseApiDescription } from "./site/openapi.ts";

interface GeneratedFile {
  /** Paths inside the clone. */
  readonly path: string;
  readonly text: string;
}

const asText = (json: unknown): string => `${JSON.stringify(json, null, 2)}\n`;

/** Expected content of the files. */
async function generateSchemas(): Promise<readonly GeneratedFile[]> {
  // Imported late, because the loader hooks must exist before the worker's first module is loaded.
  const { createDocument } = await import("#interface/openapi/document.ts");
  const { loadRoutes } = await import("#interface/routes/index.ts");
  const { manifestSchema } = await import("#domains/artifacts/manifest-schema.ts");
  const description = asText(createDocument(await loadRoutes()));
  const collection = postmanCollection(parseApiDescription(JSON.parse(description)));
  return [
    { path: "schema/openapi.json", text: description },
    { path: "docs/collection/creative-packs.postman_collection.json", text: asText(collection) },
    { path: "schema/manifest.schema.json", text: asText(manifestSchema()) },
  ];
}

/** Committed files that differ from the source. */
async function findStaleSchemas(): Promise<readonly string[]> {
  const files = await generateSchemas();
  const states = await Promise.all(
    files.map(async ({ path, text }) => ({
      path,
      isStale: (await readFile(inRoot(path), "utf8").catch(() => null)) !== text,
    })),
  );
  return states.filter(({ isStale }) => isStale).map(({ path }) => path);
}

if (import.meta.main) {
  await runScript(async () => {
    if (readCheckOption()) {
      const stale = await findStaleSchemas();
      if (stale.length > 0) {
        throw new Failure(`Out of date: ${stale.join(", ")}. Run: npm run openapi`);
      }
      return;
    }
    for (const { path, text } of await generateSchemas()) {
      await mkdir(dirname(inRoot(path)), { recursive: true });
      await writeFile(inRoot(path), text);
      console.log(`${path}: ${text.length} characters`);
    }
  });
}
