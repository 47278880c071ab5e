import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { seedWorkspace } from "../support/arrange.ts";
import type { Service } from "../support/service.ts";
import { runWith } from "../support/shells.ts";

/** The README's first pack with the client library. */

interface Place {
  readonly service: Service;
  /** Folder of the program and its files. */
  readonly folder: string;
}

/** The README's only JavaScript block. */
async function readProgram(): Promise<string> {
  const [, from] = (await readFile("README.md", "utf8")).split("```js\n");
  const [program, after] = from?.split("\n```\n") ?? [];
  if (program === undefined || after === undefined) throw new Error("README.md has no program");
  return program;
}

/** Registers the tests; `placeOf` is available once they run. */
export function describeClientLibrary(placeOf: () => Place): void {
  const makePack = async (credits: number) => {
    const { service, folder } = placeOf();
    const { key } = await seedWorkspace(service, { credits });
    await writeFile(join(folder, "first-pack.mjs"), await readProgram());
    return runWith(process.execPath, ["first-pack.mjs"], folder, "", {
      CREATIVE_PACKS_BASE_URL: service.origin,
      CREATIVE_PACKS_API_KEY: key,
    });
  };

  describe("the README's flow with the client library", () => {
    it("makes a pack and saves its files", async () => {
      const { code, stdout, stderr } = await makePack(3);
      expect(code, stderr).toBe(0);
      expect(stdout).toContain("3 of 3");
      const made = await readdir(join(placeOf().folder, "demo-output/first-pack"));
      for (const name of ["iab-300x250.png", "iab-728x90.png", "gads-300x600.png", "manifest.json"]) {
        expect(made).toContain(name);
      }
    });

    it("stops at a refusal, and prints the service's message", async () => {
      const { code, stderr } = await makePack(1);
      expect([code, /InsufficientCreditsError: .*credit/i.test(stderr)], stderr).toEqual([1, true]);
    });
  });
}
