import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

/** Everything that tells a person what to type. */
const FILES = globSync(["**/*.md", "scripts/**/*.ts", "test/**/*.ts", "bench/**/*.ts"], {
  exclude: (name) => /^(node_modules|dist|\..+)$/.test(name.split("/").at(-1) ?? name),
}).map((path) => [path, readFileSync(path, "utf8")] as const);

const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));

describe("what the documentation says to type works on a machine with Node.js 20", () => {
  it("no script of TypeScript is started by the machine's own Node.js, which may not read it", () => {
    const bare = FILES.flatMap(([path, text]) =>
      [...text.matchAll(/(?<!npx |[\w./-])node (?:scripts|test|bench)\/[\w./-]+\.ts\b/g)].map(
        ([command]) => `${path}: ${command}`,
      ),
    );
    expect(bare).toEqual([]);
  });

  it("every `npm run` that is named exists", () => {
    const unknown = FILES.flatMap(([path, text]) =>
      [...text.matchAll(/\bnpm run (?:--silent )?([a-z][a-z:-]*)/g)]
        .filter(([, name]) => name !== undefined && !(name in scripts))
        .map(([command]) => `${path}: ${command}`),
    );
    expect(unknown).toEqual([]);
  });
});
