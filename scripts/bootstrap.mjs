/**
 * Runs a command of this project on a fresh clone: `node scripts/bootstrap.mjs <command> [arguments]`.
 *
 * Installs the locked packages if they are missing or differ from package-lock.json, generates the SDK's types if they
 * are missing or older than schema/openapi.json, and runs the command with node_modules/.bin first in PATH. That folder
 * contains the Node.js that the tools need, so the system's may be older. This file therefore uses nothing newer than
 * Node.js 20 and no package.
 */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { constants } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const binaries = join(root, "node_modules", ".bin");
const environment = { ...process.env, PATH: `${binaries}${delimiter}${process.env.PATH ?? ""}` };

/** Packages by folder, from the lock file or from npm's record of the installation. */
function readPackages(path) {
  if (!existsSync(path)) return null;
  try {
    return JSON.parse(readFileSync(path, "utf8")).packages;
  } catch {
    return null;
  }
}

/** Whether all locked packages are installed in their locked versions. Optional packages may be missing. */
function isInstalled() {
  const locked = readPackages(join(root, "package-lock.json"));
  const installed = readPackages(join(root, "node_modules", ".package-lock.json"));
  if (!locked || !installed || !existsSync(join(binaries, "node"))) return false;
  return Object.entries(locked).every(([folder, { version, optional }]) => {
    if (folder === "") return true;
    return folder in installed ? installed[folder].version === version : optional === true;
  });
}

/** The command that starts npm, on the system's Node.js, because `npm ci` may replace the Node.js in node_modules. */
function npmCommand() {
  const { npm_execpath: npm, npm_node_execpath: node } = process.env;
  if (npm && node && !node.startsWith(root)) return [node, npm];
  return ["npm"];
}

function install() {
  process.stderr.write("Installing packages (once: a minute, several on a slow machine) … ");
  const [program, ...start] = npmCommand();
  const outcome = spawnSync(program, [...start, "ci", "--no-audit", "--no-fund"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
    stdio: ["ignore", "pipe", "pipe"],
  });
  if (outcome.status === 0 && isInstalled()) {
    process.stderr.write("done\n");
    return;
  }
  process.stderr.write(`failed\n${outcome.stdout ?? ""}${outcome.stderr ?? ""}`);
  if (outcome.error) process.stderr.write(`${outcome.error.message}\n`);
  process.stderr.write(
    "The packages could not be installed. Check the network, then run the command again.\n",
  );
  process.exit(1);
}

const MAKE_TYPES = "scripts/make/client-types.ts";

/** Generates the SDK's types, which git ignores, if they are missing or out of date. */
function makeTypes() {
  const modifiedMs = (path) => statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (modifiedMs("sdk/src/generated/operations.ts") >= modifiedMs("schema/openapi.json")) return;
  process.stderr.write("Generating the SDK's types …\n");
  const options = { cwd: root, env: environment, stdio: "inherit" };
  const { status } = spawnSync(join(binaries, "node"), [join(root, MAKE_TYPES)], options);
  if (status !== 0) process.exit(status ?? 1);
}

const [command, ...parameters] = process.argv.slice(2);
if (command === undefined) {
  process.stderr.write("Usage: node scripts/bootstrap.mjs <command> [arguments]\n");
  process.exit(2);
}
// npm runs `prepare` after every installation, even one without the tools (--omit=dev).
const isInstalling = process.env.npm_lifecycle_event === "prepare";
if (isInstalling && !existsSync(join(binaries, "node"))) process.exit(0);
if (!isInstalling && !isInstalled()) install();
makeTypes();

const child = spawn(join(binaries, command), parameters, {
  cwd: root,
  env: environment,
  stdio: "inherit",
});
// A terminal sends SIGINT to the whole group; a supervisor may signal only this process.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
// The package's scripts use `exec`, so that npm is the parent and forwards signals. A killed npm forwards none, so
// check whether it is gone.
const parent = process.ppid;
if (process.env.npm_lifecycle_event !== undefined) {
  setInterval(() => process.ppid !== parent && child.kill("SIGTERM"), 250).unref();
}
child.on("error", (error) => {
  process.stderr.write(`${command} could not be started: ${error.message}\n`);
  process.exit(127);
});
child.on("exit", (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)));
