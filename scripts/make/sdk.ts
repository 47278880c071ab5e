/** Builds the client library for npm, from sdk/src into sdk/dist: npm run sdk:build */
import { globSync } from "node:fs";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { transform } from "esbuild";
import { runScript } from "../local/failure.ts";
import { inRoot } from "../local/paths.ts";
import { requireTool } from "../local/tool.ts";
import { bundleCommand, bundleForRequire } from "./sdk/bundle-command.ts";

const RESULT = inRoot("sdk/dist");
/** Built beside its place and moved there whole: another process may be packing the earlier one. */
const DIST = inRoot(`sdk/.dist-${process.pid}`);

/**
 * The compiler rewrites the endings of imports in code and leaves those in declarations. Declarations of CommonJS may be imported
 * from both kinds of modules, those of ES modules only from their own, so all are of CommonJS and shipped once. `Uint8Array` has a
 * parameter since TypeScript 5.7; what its own `slice` returns is the same type before and after.
 */
async function rewriteDeclarations(): Promise<void> {
  for (const path of globSync("**/*.d.ts", { cwd: DIST })) {
    const text = await readFile(`${DIST}/${path}`, "utf8");
    const rewritten = text
      .replace(/((?:from|import\() ?"\.{1,2}\/[^"]+)\.ts"/g, '$1.cjs"')
      .replaceAll("Uint8Array<ArrayBuffer>", 'ReturnType<Uint8Array["slice"]>');
    await writeFile(`${DIST}/${path}`, rewritten);
    await rename(`${DIST}/${path}`, `${DIST}/${path.replace(/ts$/, "cts")}`);
  }
  await writeFile(`${DIST}/index.d.ts`, 'export * from "./index.cjs";\n');
}

/** Comments are read in declarations and in the repository; in the code of a package they are a tenth of its weight. */
async function removeComments(): Promise<void> {
  for (const path of globSync("**/*.js", { cwd: DIST })) {
    const text = await readFile(`${DIST}/${path}`, "utf8");
    await writeFile(`${DIST}/${path}`, (await transform(text, { target: "es2022" })).code);
  }
}

await runScript(async () => {
  await requireTool("Building the client library", "tsc", ["-p", "sdk/tsconfig.json", "--outDir", DIST]);
  // Only types: no module imports it at run time.
  await rm(`${DIST}/generated/schemas.js`);
  await rewriteDeclarations();
  await removeComments();
  await bundleForRequire(`${DIST}/index.cjs`);
  await bundleCommand(`${DIST}/cli.js`);
  await rename(RESULT, `${DIST}-earlier`).catch(() => undefined);
  await rename(DIST, RESULT);
  await rm(`${DIST}-earlier`, { recursive: true, force: true });
});
