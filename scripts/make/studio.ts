/** Builds the Studio into the folder of static files; run by scripts/make/assets.ts. */
import { createHash } from "node:crypto";
import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { build } from "vite";
import { runScript } from "../local/failure.ts";
import { inRoot, STUDIO_FOLDER } from "../local/paths.ts";
import { placeFiles } from "../local/place-files.ts";

const OWN = ["index.html", "banner.html", "service-worker.js", "studio"];

await runScript(async () => {
  // Libraries choose their production build by this variable, which has another value when a test calls this.
  process.env.NODE_ENV = "production";
  await build({ configFile: inRoot("studio/vite.config.ts"), logLevel: "warn" });
  const folder = inRoot(STUDIO_FOLDER);
  const files = new Map<string, Uint8Array>();
  for (const entry of globSync("**/*", { cwd: folder, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = `${entry.parentPath}/${entry.name}`;
    files.set(path.slice(folder.length), await readFile(path));
  }
  const page = await readFile(`${folder}/index.html`);
  const version = createHash("sha256").update(page).digest("hex").slice(0, 12);
  const worker = await readFile(`${folder}/service-worker.js`, "utf8");
  files.set("/service-worker.js", Buffer.from(worker.replace("BUILD", version)));
  await placeFiles(files, OWN);
});
