/** Builds the Studio and lays it into the folder that wrangler.toml serves; run by scripts/make/assets.ts. */
import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { build } from "vite";
import { runScript } from "../local/failure.ts";
import { inRoot, STUDIO_FOLDER } from "../local/paths.ts";
import { placeFiles } from "../local/place-files.ts";

const OWN = ["index.html", "banner.html", "studio"];

await runScript(async () => {
  // Whoever asks for the files may be a test, and libraries are built for what this says.
  process.env.NODE_ENV = "production";
  await build({ configFile: inRoot("studio/vite.config.ts"), logLevel: "warn" });
  const folder = inRoot(STUDIO_FOLDER);
  const files = new Map<string, Uint8Array>();
  for (const entry of globSync("**/*", { cwd: folder, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = `${entry.parentPath}/${entry.name}`;
    files.set(path.slice(folder.length), await readFile(path));
  }
  await placeFiles(files, OWN);
});
