/** Builds the SDK for npm, from sdk/src to sdk/dist: npm run sdk:build */
import { globSync } from "node:fs";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { transform } from "esbuild";
import { runScript } from "../local/failure.ts";
import { inRoot } from "../local/paths.ts";
import { requireTool } from "../local/tool.ts";
import { bundleCommand, bundleForRequire } from "./sdk/bundle-command.ts";

const RESULT = inRoot("sdk/dist");
/** The build goes to its own folder and is then moved, because another process may be packing the earlier build. */
const DIST = inRoot(`sdk/.dist-${process.pid}`);

/**
 * Completes the declarations.
 *
 * The compiler rewrites import extensions in code, but not in declarations. All declarations are CommonJS and shipped
 * once, because both kinds of modules can import those. `Uint8Array` has a type parameter only since TypeScript 5.7;
 * the return type of its `slice` works in all versions.
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

/** Removes comments from the package's code, where they would be a tenth of its size. Declarations keep theirs. */
async function removeComments(): Promise<void> {
  for (const path of globSync("**/*.js", { cwd: DIST })) {
    const text = await readFile(`${DIST}/${path}`, "utf8");
    await writeFile(`${DIST}/${path}`, (await transform(text, { target: "es2022" })).code);
  }
}

await runScript(async () => {
  await requireTool("Building the client library", "tsc", ["-p", "sdk/tsconfig.json", "--outDir", DIST]);
  // Types only: never imported at run time.
  await rm(`${DIST}/generated/schemas.js`);
  await rewriteDeclarations();
  await removeComments();
  await bundleForRequire(`${DIST}/index.cjs`);
  await bundleCommand(`${DIST}/cli.js`);
  await rename(RESULT, `${DIST}-earlier`).catch(() => undefined);
  await rename(DIST, RESULT);
  await rm(`${DIST}-earlier`, { recursive: true, force: true });
  console.log('Built. `import … from "creative-packs"` now works in this folder.');
});
