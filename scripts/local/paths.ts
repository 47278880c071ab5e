import { fileURLToPath } from "node:url";

/** The folder of the clone, with a trailing slash. */
export const ROOT = fileURLToPath(new URL("../../", import.meta.url).href);

/** A path inside the clone. */
export const inRoot = (path: string): string => `${ROOT}${path}`;

/** The documentation site as it is built; wrangler.toml serves it. */
export const DOCS_FOLDER = "dist/docs-assets";
