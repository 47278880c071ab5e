import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import type { World } from "../support/world.ts";
import { type Installed, installPackage } from "./installed.ts";

/** The installed package for tests. */
export interface UsedPackage {
  readonly installed: () => Installed;
  /** Options of a client with three credits. */
  readonly optionsOf: () => Promise<{ readonly apiKey: string; readonly baseUrl: string }>;
  /** Writes a file next to the installed package. */
  readonly write: (name: string, text: string) => Promise<void>;
}

/** Installs the package before a file's tests and removes it afterwards. */
export function usePackage(world: () => World): UsedPackage {
  let installed: Installed;
  beforeAll(async () => {
    installed = await installPackage();
  });
  afterAll(() => installed.remove());
  return {
    installed: () => installed,
    optionsOf: async () => ({ apiKey: await world().key(3), baseUrl: world().service.origin }),
    write: (name, text) => writeFile(join(installed.folder, name), text),
  };
}
