import { spawn } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inRoot } from "../../../scripts/local/paths.ts";
import { toolEnvironment } from "../../../scripts/local/tool.ts";

/** The packed package, installed into an empty folder without a network. */
export interface Installed {
  /** Contains only `node_modules/creative-packs`. */
  readonly folder: string;
  readonly tarball: string;
  readonly tarballBytes: number;
  readonly remove: () => Promise<void>;
}

/** Runs a command; rejects with its output if it fails. */
export function run(
  command: string,
  parameters: readonly string[],
  folder: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, parameters, { cwd: folder, env: toolEnvironment(environment) });
    let said = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        said += text;
      });
    }
    child.on("error", reject);
    child.on("close", (code) =>
      code === 0 ? resolve(said) : reject(new Error(`${command}: ${code}\n${said}`)),
    );
  });
}

/** Builds and packs the package, and installs the tarball. */
export async function installPackage(): Promise<Installed> {
  const folder = await mkdtemp(join(tmpdir(), "creative-packs-package-"));
  await run("npm", ["pack", "--pack-destination", folder], inRoot("sdk"));
  const [name = ""] = await readdir(folder);
  const tarball = join(folder, name);
  await writeFile(
    join(folder, "package.json"),
    JSON.stringify({ name: "empty", private: true, type: "module" }),
  );
  await run("npm", ["install", "--offline", "--no-audit", "--no-fund", tarball], folder);
  return {
    folder,
    tarball,
    tarballBytes: (await stat(tarball)).size,
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Bundles `entry.mjs` of a folder for browsers, minified. */
export async function bundleForPage(folder: string): Promise<string> {
  const shape = ["--bundle", "--format=esm", "--minify", "--platform=browser", "--outfile=bundle.mjs"];
  await run("esbuild", ["entry.mjs", ...shape], folder);
  return readFile(join(folder, "bundle.mjs"), "utf8");
}
