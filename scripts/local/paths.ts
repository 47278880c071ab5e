import { fileURLToPath } from "node:url";

/** The clone's folder, with a trailing slash. */
export const ROOT = fileURLToPath(new URL("../../", import.meta.url).href);

/** A path inside the clone. */
export const inRoot = (path: string): string => `${ROOT}${path}`;

/** Static files of wrangler.toml: documentation, font library, Studio. */
export const ASSETS_FOLDER = "dist/assets";

/** The SDK's import specifiers, mapped to source, so that tests and the Studio need no build of it. */
export const SDK_SOURCES = {
  "creative-packs/internal": inRoot("sdk/src/internal.ts"),
  "creative-packs/table": inRoot("sdk/src/cli/table.ts"),
  "creative-packs": inRoot("sdk/src/index.ts"),
} as const;

/** Build output of the Studio, before it is copied next to the documentation. */
export const STUDIO_FOLDER = "dist/studio";
