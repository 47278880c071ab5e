import { mkdir } from "node:fs/promises";
import { inRoot } from "./local/paths.ts";

/** Where wrangler.toml looks for the documentation page's files. */
export const DOCS_ASSETS_FOLDER = inRoot("dist/docs-assets");

export async function makeDocsAssets(): Promise<void> {
  await mkdir(DOCS_ASSETS_FOLDER, { recursive: true });
}
