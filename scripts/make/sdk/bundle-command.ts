import { chmod, readFile } from "node:fs/promises";
import { build } from "esbuild";
import { inRoot } from "../../local/paths.ts";

/**
 * The command is one file with its argument parser and its CSV reader in it, so that the package itself depends on
 * nothing. Their licences stand at its end.
 */
export async function bundleCommand(path: string): Promise<void> {
  await build({
    entryPoints: [inRoot("sdk/src/cli/main.ts")],
    outfile: path,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    // Names stay, so that a stack trace can be read.
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: "none",
    footer: { js: await licences(["commander", "csv-parse"]) },
    // The parser is written for `require`, which a module has not.
    banner: {
      js: 'import { createRequire } from "node:module";\nconst require = createRequire(import.meta.url);',
    },
    logLevel: "warning",
  });
  await chmod(path, 0o755);
}

/** The licences of bundled packages, as a comment. */
async function licences(names: readonly string[]): Promise<string> {
  const texts = await Promise.all(
    names.map(async (name) => `${name}\n\n${await readFile(inRoot(`node_modules/${name}/LICENSE`), "utf8")}`),
  );
  return `/*\n${texts.join("\n").replaceAll("*/", "* /")}\n*/`;
}
