import { createRequire } from "node:module";
import { arch, availableParallelism, cpus, platform, totalmem } from "node:os";
import type { Machine } from "./report/run-result.ts";

const PACKAGES = [
  "workerd",
  "@cf-wasm/satori",
  "@cf-wasm/resvg",
  "@cf-wasm/photon",
  "@jsquash/jpeg",
  "sharp",
  "hono",
];
const GIBIBYTE = 1024 ** 3;

const require = createRequire(import.meta.url);

function versionOf(name: string): string {
  const { version } = require(`../node_modules/${name}/package.json`);
  return String(version);
}

/** Hardware and software of the measurement. */
export const describeMachine = (): Machine => ({
  cpu: cpus()[0]?.model ?? "an unknown processor",
  cores: availableParallelism(),
  memoryGib: Math.round(totalmem() / GIBIBYTE),
  system: `${platform()} ${arch()}`,
  versions: {
    node: process.versions.node,
    ...Object.fromEntries(PACKAGES.map((name) => [name, versionOf(name)])),
  },
});
