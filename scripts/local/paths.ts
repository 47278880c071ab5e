import { fileURLToPath } from "node:url";

/** The folder of the clone, with a trailing slash. */
export const ROOT = fileURLToPath(new URL("../../", import.meta.url).href);

/** A path inside the clone. */
export const inRoot = (path: string): string => `${ROOT}${path}`;

/** What wrangler.toml serves beside the worker: documentation, font library, Studio. */
export const ASSETS_FOLDER = "dist/assets";

/** The client library by the names that a program imports, as source: tests and the Studio need no build of it. */
export const SDK_SOURCES = {
  "creative-packs/internal": inRoot("sdk/src/internal.ts"),
  "creative-packs/table": inRoot("sdk/src/cli/table.ts"),
  "creative-packs": inRoot("sdk/src/index.ts"),
} as const;

/** The Studio as it is built, before it is laid beside the documentation. */
export const STUDIO_FOLDER = "dist/studio";
