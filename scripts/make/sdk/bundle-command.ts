import { chmod, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { build, type Plugin } from "esbuild";
import { CONTRACTS } from "#catalogue/contracts.ts";
import { inRoot } from "../../local/paths.ts";

/** Names that a shell completes. */
function catalogue() {
  const sizeIds = CONTRACTS.flatMap(({ sizes }) => sizes.map(({ sizeId }) => sizeId));
  return { contractIds: CONTRACTS.map(({ contractId }) => contractId), sizeIds: [...new Set(sizeIds)] };
}

/** Names stay, so that a stack trace can be read. */
const READABLE = {
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: "none",
  logLevel: "warning",
} as const;

/** Leaves the library's modules beside the command, where the package has them anyway. */
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
 * The command is one file with its argument parser and its CSV reader in it, so that the package itself depends on
 * nothing. Their licences stand at its end. `isWhole`: with the library in it, too.
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
    // The parser is written for `require`, which a module has not.
    banner: {
      js: 'import { createRequire } from "node:module";\nconst require = createRequire(import.meta.url);',
    },
  });
  await chmod(path, 0o755);
}

/** The library for `require`, in one file: Node.js 20 cannot require the ES modules. */
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
