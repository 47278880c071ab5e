/**
 * Completes package-lock.json with packages of other platforms. Run after every `npm install`: npm run lock
 *
 * If a registry does not have an optional package of another platform, npm leaves it out of the lock file, and `npm ci`
 * then rejects the file everywhere. An entry with a version and a platform is enough: on that platform npm looks the
 * package up by its version; on others npm skips it. `--check` changes nothing and fails if something is missing.
 */

import { readFileSync, writeFileSync } from "node:fs";
import { readCheckOption } from "../local/check-option.ts";

interface LockedPackage {
  version?: string;
  dev?: boolean;
  optional?: boolean;
  cpu?: string[];
  os?: string[];
  libc?: string[];
  optionalDependencies?: Record<string, string>;
}
interface Lock {
  packages: Record<string, LockedPackage>;
}

const path = new URL("../../package-lock.json", import.meta.url);
const lock: Lock = JSON.parse(readFileSync(path, "utf8"));

const CPU_BY_WORD: Readonly<Record<string, string>> = {
  "64": "x64",
  x64: "x64",
  arm64: "arm64",
  arm: "arm",
  wasm32: "wasm32",
};
const OS_BY_WORD: Readonly<Record<string, string>> = {
  android: "android",
  darwin: "darwin",
  freebsd: "freebsd",
  linux: "linux",
  win32: "win32",
  windows: "win32",
};

/** The platform in a package's name, such as `cli-linux-x64-musl` or `workerd-windows-64`. */
function platformOf(name: string): Pick<LockedPackage, "cpu" | "os" | "libc"> | null {
  const words = name.split("/").at(-1)?.split("-") ?? [];
  const cpu = words.map((word) => CPU_BY_WORD[word]).find((word) => word !== undefined);
  const os = words.map((word) => OS_BY_WORD[word]).find((word) => word !== undefined);
  if (!cpu) return null;
  // Packages without machine code run on every system.
  if (cpu === "wasm32") return { cpu: [cpu] };
  if (!os) return null;
  return { cpu: [cpu], ...(words.includes("musl") ? { libc: ["musl"] } : {}), os: [os] };
}

const isLocked = (owner: string, name: string): boolean =>
  `node_modules/${name}` in lock.packages || `${owner}/node_modules/${name}` in lock.packages;

const missing = Object.entries(lock.packages).flatMap(([owner, { dev, optionalDependencies = {} }]) =>
  Object.entries(optionalDependencies)
    .filter(([name]) => !isLocked(owner, name))
    .map(([name, version]) => ({ name, version, isDev: dev === true })),
);

const entries = missing.map(({ name, version, isDev }): [string, LockedPackage] => {
  const platform = platformOf(name);
  if (!platform || !/^\d+\.\d+\.\d+$/.test(version)) {
    throw new Error(
      `package-lock.json lacks ${name}@${version}, and its platform is not known. Add it by hand.`,
    );
  }
  const { cpu, os, libc } = platform;
  const base: LockedPackage = { version, ...(cpu ? { cpu } : {}), ...(isDev ? { dev: true } : {}) };
  return [
    `node_modules/${name}`,
    { ...base, ...(libc ? { libc } : {}), optional: true, ...(os ? { os } : {}) },
  ];
});

const names = missing.map(({ name }) => name).join(", ");
if (missing.length === 0) {
  console.log("package-lock.json names the packages of every platform.");
} else if (readCheckOption()) {
  console.error(`package-lock.json lacks ${names}. Run: npm run lock`);
  process.exitCode = 1;
} else {
  const sorted = Object.entries({ ...lock.packages, ...Object.fromEntries(entries) }).sort(
    ([left], [right]) => left.localeCompare(right, "en"),
  );
  lock.packages = Object.fromEntries(sorted);
  writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);
  console.log(`package-lock.json: added ${names}.`);
}
