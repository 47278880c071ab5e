import { chmod, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { build, type Plugin } from "esbuild";
import { CONTRACTS } from "#catalogue/contracts.ts";
import { inRoot } from "../../local/paths.ts";

/** Contract and size ids for shell completion. */
function catalogue() {
  const sizeIds = CONTRACTS.flatMap(({ sizes }) => sizes.map(({ sizeId }) => sizeId));
  return { contractIds: CONTRACTS.map(({ contractId }) => contractId), sizeIds: [...new Set(sizeIds)] };
}

/** Minifies, but keeps names, so that stack traces stay readable. */
const READABLE = {
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: "none",
  logLevel: "warning",
} as const;

/** Keeps the SDK's modules external, because the package contains them anyway. */
const libraryBeside: Plugin = {
  name: "library-beside",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.{1,2}\// }, ({ path, resolveDir }) => {
      const module = relative(inRoot("sdk/src"), join(resolveDir, path));
      return /^(cli|\.\.)\//.test(module)
        ? null
        : { path: `./${module.replace(/\.ts$/, ".js")}`, external: true };
    }),
};

/**
 * Bundles the command into one file with its argument parser and CSV reader, whose licences are at the end of the file,
 * so that the package has no dependencies. With `isWhole` the file also contains the SDK.
 */
export async function bundleCommand(path: string, isWhole = false): Promise<void> {
  await build({
    entryPoints: [inRoot("sdk/src/cli/main.ts")],
    outfile: path,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    ...READABLE,
    define: { CATALOGUE: JSON.stringify(catalogue()) },
    plugins: isWhole ? [] : [libraryBeside],
    footer: { js: await licences(["commander", "csv-parse"]) },
    // The parser uses `require`, which ES modules lack.
    banner: {
      js: 'import { createRequire } from "node:module";\nconst require = createRequire(import.meta.url);',
    },
  });
  await chmod(path, 0o755);
}

/** The SDK for `require` in one file, because Node.js 20 cannot require ES modules. */
export async function bundleForRequire(path: string): Promise<void> {
  await build({
    entryPoints: [inRoot("sdk/src/index.ts")],
    outfile: path,
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node20",
    ...READABLE,
  });
}

/** The licences of bundled packages, as a comment. */
async function licences(names: readonly string[]): Promise<string> {
  const texts = await Promise.all(
    names.map(async (name) => `${name}\n\n${await readFile(inRoot(`node_modules/${name}/LICENSE`), "utf8")}`),
  );
  return `/*\n${texts.join("\n").replaceAll("*/", "* /")}\n*/`;
}
