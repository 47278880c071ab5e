import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { inRoot, SDK_SOURCES, STUDIO_FOLDER } from "../scripts/local/paths.ts";

/**
 * Files for drawing previews, in a folder of their own: the worker serves it only if LIVE_PREVIEWS is on
 * (src/interface/http/studio-page.ts).
 */
const ENGINE_FILE = "studio/engine/[name]-[hash][extname]";
const ENGINE_SCRIPT = "studio/engine/[name]-[hash].js";

/** Builds the Studio; scripts/make/studio.ts runs it and puts the files beside the documentation. */
export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  base: "/",
  cacheDir: inRoot("node_modules/.vite-studio"),
  plugins: [react(), tailwindcss()],
  // Use the build of the CSV parser that does not need the Buffer of Node.js.
  resolve: { alias: { ...SDK_SOURCES, "csv-parse/sync": "csv-parse/browser/esm/sync" } },
  build: {
    outDir: inRoot(STUDIO_FOLDER),
    emptyOutDir: true,
    target: "es2023",
    // Files named by content hash are in a folder of their own, because browsers cache them for a year.
    assetsDir: "studio",
    // The content security policy allows no `data:` scripts or fonts.
    assetsInlineLimit: 0,
    // The first page's scripts are preloaded by its HTML. Lists for the later pages would add 2 KB to its scripts.
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_, files, { hostType }) => (hostType === "html" ? files : []),
    },
    rolldownOptions: {
      output: {
        assetFileNames: ({ names: [name = ""] }) =>
          /\.(wasm|weights)$/.test(name) ? ENGINE_FILE : "studio/[name]-[hash][extname]",
        // The first page loads the whole router, and one file compresses better than a dozen.
        codeSplitting: {
          groups: [{ name: "router", test: /@tanstack.(react-router|router-core|history|store)/ }],
        },
      },
    },
  },
  worker: {
    format: "es",
    rolldownOptions: {
      output: { entryFileNames: ENGINE_SCRIPT, chunkFileNames: ENGINE_SCRIPT, assetFileNames: ENGINE_FILE },
    },
  },
});
