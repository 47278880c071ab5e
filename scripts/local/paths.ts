import { fileURLToPath } from "node:url";

/** The folder of the clone, with a trailing slash. */
export const ROOT = fileURLToPath(new URL("../../", import.meta.url).href);

/** A path inside the clone. */
export const inRoot = (path: string): string => `${ROOT}${path}`;

/** What wrangler.toml serves beside the worker: documentation, font library, Studio. */
export const ASSETS_FOLDER = "dist/assets";

/** The Studio as it is built, before it is laid beside the documentation. */
export const STUDIO_FOLDER = "dist/studio";
