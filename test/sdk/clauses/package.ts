import { readdir, realpath } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { expect, it } from "vitest";
import { FIRST_PACK, MADE } from "../package/first-pack.ts";
import { bundleForPage, run } from "../package/installed.ts";
import { usePackage } from "../package/use-package.ts";
import type { World } from "../support/world.ts";

/**
 * Finds every Node.js in PATH: the project's own, and the one that runs npm, which may be the oldest supported version.
 */
async function allNodes(): Promise<readonly string[]> {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const found = await Promise.all(folders.map((folder) => realpath(join(folder, "node")).catch(() => null)));
  return [...new Set(["node", ...found.filter((path) => path !== null)])];
}

/** The package, installed into an empty folder. */
export const packaged = (world: () => World): void => {
  const { installed, optionsOf, write } = usePackage(world);

  it("installs offline without dependencies", async () => {
    expect(
      (await readdir(join(installed().folder, "node_modules"))).filter((name) => !name.startsWith(".")),
    ).toEqual(["creative-packs"]);
    const files = await readdir(join(installed().folder, "node_modules/creative-packs"));
    expect(files.sort()).toEqual(["LICENSE", "README.md", "dist", "package.json"]);
    await write("entry.mjs", 'export * from "creative-packs";');
    const { length } = await bundleForPage(installed().folder);
    console.log(
      `creative-packs: ${installed().tarballBytes} bytes packed, ${length} bytes in a page, minified`,
    );
    expect(length).toBeLessThan(40_000);
    expect(installed().tarballBytes).toBeLessThan(150_000);
  });

  it("Node.js: makes a pack as an ES module", async () => {
    const options = JSON.stringify(await optionsOf());
    await write(
      "node.mjs",
      `import { CreativePacks } from "creative-packs";\nconst options = ${options};${FIRST_PACK}\nconsole.log(JSON.stringify(result));`,
    );
    const said = await run("node", ["node.mjs"], installed().folder);
    expect(JSON.parse(said)).toEqual({ ...MADE, refused: "FileError" });
  });

  it("the oldest Node.js of this machine makes a pack with require, without requiring ES modules", async () => {
    const program = "first-pack.cjs";
    for (const node of await allNodes()) {
      const options = JSON.stringify(await optionsOf());
      await write(
        program,
        `const { CreativePacks } = require("creative-packs");
(async () => { const options = ${options};${FIRST_PACK}\nconsole.log(JSON.stringify(result)); })();`,
      );
      const said = await run(node, ["--no-experimental-require-module", program], installed().folder);
      expect(JSON.parse(said), node).toEqual({ ...MADE, refused: "FileError" });
    }
  });

  it("its command runs with the package's SDK modules", async () => {
    const command = join(installed().folder, "node_modules/.bin/creative-packs");
    const said = await run(command, ["sizes", "--url", world().service.origin], installed().folder);
    expect(said).toContain("display.v1");
  });
};
