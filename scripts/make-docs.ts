/** Builds what the documentation page loads into dist/docs-assets, the folder that wrangler.toml serves. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { runScript } from "./local/failure.ts";
import { inRoot } from "./local/paths.ts";

const FOLDER = "dist/docs-assets";

/** From where to where, inside the clone. Served under `/docs/`. */
const FILES = [
  ["node_modules/swagger-ui-dist/swagger-ui-bundle.js", "docs/swagger-ui-bundle.js"],
  ["node_modules/swagger-ui-dist/swagger-ui.css", "docs/swagger-ui.css"],
  ["node_modules/swagger-ui-dist/favicon-32x32.png", "docs/icon.png"],
  ["scripts/docs/start.js", "docs/start.js"],
  ["scripts/docs/reference.css", "docs/reference.css"],
  // For the first pack that the page at / shows.
  ["samples/bottle-photo.jpg", "docs/photo.jpg"],
] as const;

/** Headers of the static files, which the worker does not touch. */
const HEADERS = `/docs/*
  Cache-Control: public, max-age=86400
  Referrer-Policy: no-referrer
  X-Content-Type-Options: nosniff
`;

/** Writes a file unless it says this already: a running `wrangler dev` loads its worker anew when one changes. */
async function writeIfChanged(path: string, bytes: Buffer): Promise<void> {
  const present = await readFile(path).catch(() => null);
  if (present === null || !present.equals(bytes)) await writeFile(path, bytes);
}

/** Copies the viewer and its start script; safe to repeat, also under a worker that serves them. */
export async function makeDocsAssets(): Promise<void> {
  await mkdir(inRoot(`${FOLDER}/docs`), { recursive: true });
  for (const [source, target] of FILES) {
    await writeIfChanged(inRoot(`${FOLDER}/${target}`), await readFile(inRoot(source)));
  }
  await writeIfChanged(inRoot(`${FOLDER}/_headers`), Buffer.from(HEADERS));
}

if (import.meta.main) await runScript(makeDocsAssets);
