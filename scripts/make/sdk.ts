/** Builds the client library for npm, from sdk/src into sdk/dist: npm run sdk:build */
import { globSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { runScript } from "../local/failure.ts";
import { inRoot } from "../local/paths.ts";
import { requireTool } from "../local/tool.ts";
import { bundleCommand } from "./sdk/bundle-command.ts";

const DIST = inRoot("sdk/dist");

/** The compiler rewrites the endings of imports in code and leaves those in declarations. */
async function rewriteDeclarations(): Promise<void> {
  for (const path of globSync("**/*.d.ts", { cwd: DIST })) {
    const text = await readFile(`${DIST}/${path}`, "utf8");
    await writeFile(`${DIST}/${path}`, text.replace(/((?:from|import\() ?"\.{1,2}\/[^"]+)\.ts"/g, '$1.js"'));
  }
}

await runScript(async () => {
  await rm(DIST, { recursive: true, force: true });
  await requireTool("Building the client library", "tsc", ["-p", "sdk/tsconfig.json"]);
  await rewriteDeclarations();
  await bundleCommand(`${DIST}/cli.js`);
});
