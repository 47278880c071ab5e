import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createTestHarness } from "wrangler";
import { inRoot } from "../../../scripts/local/paths.ts";
import { openBrowser } from "../../conformance/support/browser.ts";
import { readExamples } from "../package/examples.ts";
import { FIRST_PACK, MADE } from "../package/first-pack.ts";
import { run } from "../package/installed.ts";
import { usePackage } from "../package/use-package.ts";
import type { World } from "../support/world.ts";

/** Tests of the package on every platform, with compilers and linters. */

const STRICT = {
  target: "ES2022",
  module: "NodeNext",
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
  noEmit: true,
};

export const platforms = (world: () => World): void => {
  const { installed, optionsOf, write } = usePackage(world);

  it("publint and attw report no problem", async () => {
    await run("publint", ["--strict", installed().tarball], installed().folder);
    await run("attw", [installed().tarball, "--no-emoji"], installed().folder);
  });

  it.each([
    ["node16", "node16"],
    ["es2022", "bundler"],
    ["commonjs", "node10"],
  ])(
    "the README's first program compiles with TypeScript 5.0, strict, module %s, resolution %s",
    async (module, moduleResolution) => {
      const [first] = await readExamples();
      const text = `declare const process: { env: Record<string, string | undefined> };\n${first?.text}`;
      // The first program uses top-level await, which CommonJS does not allow.
      const inFunction = text.replace(
        /^((?!import|declare).+)$/gms,
        "async function main() {\n$1\n}\nvoid main;",
      );
      const files = moduleResolution === "node16" ? ["old.mts", "old.cts"] : ["old.ts"];
      for (const file of files) await write(file, file === "old.mts" ? `${text}\nexport {};\n` : inFunction);
      const lib = ["ES2022", "DOM", "DOM.Iterable"];
      const compilerOptions = { ...STRICT, types: [], lib, module, moduleResolution };
      await write("tsconfig.old.json", JSON.stringify({ compilerOptions, files }));
      const compiler = inRoot("sdk/node_modules/typescript/bin/tsc");
      await run("node", [compiler, "-p", "tsconfig.old.json"], installed().folder);
    },
  );

  it("every example of README and docstrings compiles for Node.js, browsers and workers", async () => {
    const examples = await readExamples();
    expect(examples.length).toBeGreaterThan(8);
    for (const { name, text } of examples) await write(`${name}.ts`, `${text}\nexport {};\n`);
    const forAll = examples.map(({ name }) => `${name}.ts`);
    const withoutProcess = examples
      .filter(({ text }) => !text.includes("process."))
      .map(({ name }) => `${name}.ts`);
    const platforms = [
      { name: "node", types: [inRoot("node_modules/@types/node")], lib: ["ES2022"], files: forAll },
      { name: "page", types: [], lib: ["ES2022", "DOM", "DOM.Iterable"], files: withoutProcess },
      {
        name: "worker",
        types: [inRoot("node_modules/@cloudflare/workers-types")],
        lib: ["ES2022"],
        files: withoutProcess,
      },
    ];
    for (const { name, types, lib, files } of platforms) {
      await write(
        `tsconfig.${name}.json`,
        JSON.stringify({ compilerOptions: { ...STRICT, types, lib }, files }),
      );
      await run("tsc", ["-p", `tsconfig.${name}.json`], installed().folder);
    }
  });

  it("a Worker makes a pack, and reports that it has no local files", async () => {
    const options = JSON.stringify(await optionsOf());
    await write(
      "entry.mjs",
      `import { CreativePacks } from "creative-packs";
export default { async fetch() { const options = ${options};${FIRST_PACK}
return Response.json(result); } };`,
    );
    await write(
      "wrangler.toml",
      'name = "receiver"\nmain = "entry.mjs"\ncompatibility_date = "2026-06-18"\n',
    );
    const harness = createTestHarness({
      workers: [{ configPath: join(installed().folder, "wrangler.toml") }],
    });
    try {
      const { url } = await harness.listen();
      expect(await (await fetch(url)).json()).toEqual({ ...MADE, refused: "FileError" });
    } finally {
      await harness.close();
    }
  });

  it("a browser page makes a pack with the package's files, without a bundler", async () => {
    const { apiKey } = await optionsOf();
    const { origin } = new URL(world().service.origin);
    const dist = join(installed().folder, "node_modules/creative-packs/dist");
    const browser = await openBrowser();
    try {
      const page = await browser.newPage();
      const contentTypes = { js: "text/javascript", html: "text/html" } as const;
      await page.route(`${origin}/package/**`, async (route) => {
        const path = new URL(route.request().url()).pathname.slice("/package/".length);
        const body =
          path === "" ? "<!doctype html><title>Page</title>" : await readFile(join(dist, path), "utf8");
        await route.fulfill({ body, contentType: path === "" ? contentTypes.html : contentTypes.js });
      });
      await page.goto(`${origin}/package/`);
      const result = await page.evaluate(`(async () => {
        const { CreativePacks } = await import("/package/index.js");
        const options = { apiKey: ${JSON.stringify(apiKey)}, baseUrl: location.origin };${FIRST_PACK}
        return result;
      })()`);
      expect(result).toEqual({ ...MADE, refused: "FileError" });
    } finally {
      await browser.close();
    }
  });
};
