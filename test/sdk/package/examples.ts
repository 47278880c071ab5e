import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";

/** Code examples of the README and of docstrings, each as a module. */

export interface Example {
  readonly name: string;
  readonly text: string;
}

const blocksOf = (text: string): readonly string[] =>
  [...text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map((match) => match[1] ?? "");

/** Text of all docstrings, without the leading asterisks. */
const docstringsOf = (source: string): string =>
  [...source.matchAll(/^ *\/\*\*\n([\s\S]*?)\*\//gm)]
    .map((match) => (match[1] ?? "").replace(/^ *\* ?/gm, ""))
    .join("\n");

/** Declarations that an example of a docstring may use. */
const AT_HAND = `import { type Asset, CreativePacks, webhooks } from "creative-packs";
declare const client: CreativePacks;
declare const photo: Asset;
declare const logo: Asset;
declare const svg: string;
`;

/** Returns the examples of the README unchanged, and the examples of docstrings with these declarations. */
export async function readExamples(): Promise<readonly Example[]> {
  const readme = blocksOf(await readFile("sdk/README.md", "utf8"));
  const shown = await Promise.all(
    globSync("sdk/src/**/*.ts").map(async (path) => {
      const blocks = blocksOf(docstringsOf(await readFile(path, "utf8")));
      return blocks.map((block) => ({ path, block }));
    }),
  );
  return [
    ...readme.map((text, at) => ({ name: `readme-${at}`, text })),
    ...shown.flat().map(({ path, block }, at) => ({
      name: `docstring-${at}`,
      text: `// ${path}\n${AT_HAND.split("\n")
        .filter((line) => !declares(block, line))
        .join("\n")}${block}`,
    })),
  ];
}

/** Whether an example declares a name itself. */
const declares = (block: string, line: string): boolean => {
  const name = /^declare const (\w+)/.exec(line)?.[1];
  return name !== undefined && new RegExp(`^const ${name}\\b`, "m").test(block);
};
