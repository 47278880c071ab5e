/** Builds the client library for npm, from sdk/src into sdk/dist: npm run sdk:build */
import { globSync } from "node:fs";
import { chmod, readFile, rm, writeFile } from "node:fs/promises";
import { build } from "esbuild";
import { runScript } from "./local/failure.ts";
import { inRoot } from "./local/paths.ts";
import { requireTool } from "./local/tool.ts";

const DIST = inRoot("sdk/dist");

/** The compiler rewrites the endings of imports in code and leaves those in declarations. */
async function rewriteDeclarations(): Promise<void> {
  for (const path of globSync("**/*.d.ts", { cwd: DIST })) {
    const text = await readFile(`${DIST}/${path}`, "utf8");
    await writeFile(`${DIST}/${path}`, text.replace(/((?:from|import\() ?"\.{1,2}\/[^"]+)\.ts"/g, '$1.js"'));
  }
}

/**
 * The command is one file with its argument parser and its CSV reader in it, so that the package itself depends on
 * nothing. Their licences stand at its end.
 */
async function bundleCommand(): Promise<void> {
  await build({
    entryPoints: [inRoot("sdk/src/cli/main.ts")],
    outfile: `${DIST}/cli.js`,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    legalComments: "none",
    footer: { js: await licences(["commander", "csv-parse"]) },
    // The parser is written for `require`, which a module has not.
    banner: {
      js: 'import { createRequire } from "node:module";\nconst require = createRequire(import.meta.url);',
    },
    logLevel: "warning",
  });
  await chmod(`${DIST}/cli.js`, 0o755);
}

/** The licences of bundled packages, as a comment. */
async function licences(names: readonly string[]): Promise<string> {
  const texts = await Promise.all(
    names.map(async (name) => `${name}\n\n${await readFile(inRoot(`node_modules/${name}/LICENSE`), "utf8")}`),
  );
  return `/*\n${texts.join("\n").replaceAll("*/", "* /")}\n*/`;
}

await runScript(async () => {
  await rm(DIST, { recursive: true, force: true });
  await requireTool("Building the client library", "tsc", ["-p", "sdk/tsconfig.json"]);
  await rewriteDeclarations();
  await bundleCommand();
});
