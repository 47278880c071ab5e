import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { SHORT_FORMS } from "../support/short-forms.ts";

/** All files that mention commands. */
const FILES = globSync(["**/*.md", "scripts/**/*.ts", "test/**/*.ts", "bench/**/*.ts"], {
  exclude: (name) => /^(node_modules|dist|\..+)$/.test(name.split("/").at(-1) ?? name),
}).map((path) => [path, readFileSync(path, "utf8")] as const);

const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));

/** CI steps, with the scripts of package.json that each of them runs, fully or in part. */
const RUN_IN_CI = {
  "check and test:all": ["check", "test:all"],
  "parts and projects of test:all": [
    ...["test", "test:long", "test:unit", "test:integration", "test:conformance", "test:mcp", "test:deploy"],
    ...[
      "test:layout",
      "test:bytes",
      "test:faces",
      "test:motion",
      "test:subjects",
      "test:studio",
      "test:sdk",
      "test:stress",
    ],
    "test:billing",
  ],
  "check, which compares what they make with what is committed": [
    ...["openapi", "api:tables", "mail:templates", "fonts", "kernels", "faces", "shaper", "lock"],
  ],
  "tests that start them": [...Object.keys(SHORT_FORMS), "deploy", "drill", "workspace"],
  "what every test starts with, and a test of its archive": ["docs", "prepare", "sdk:build"],
};

/** Scripts that CI does not run, and why. */
const NOT_RUN_IN_CI: Readonly<Record<string, string>> = {
  dev: "runs until it is ended; demo and the conformance tests start the same service",
  "test:mutants": "takes an hour; its mutations are tested in test/unit",
  "gallery:docs": "makes pictures of the documents from the gallery",
  "studio:pictures": "makes pictures of the documents; test/studio visits the same pages",
  golden: "replaces the pictures that the golden tests compare with",
};

it("no TypeScript script is started by the system's Node.js, which may not support it", () => {
  const bare = FILES.flatMap(([path, text]) =>
    [...text.matchAll(/(?<!npx |[\w./-])node (?:scripts|test|bench)\/[\w./-]+\.ts\b/g)].map(
      ([command]) => `${path}: ${command}`,
    ),
  );
  expect(bare).toEqual([]);
});

it("every script runs in CI or has a documented reason not to", () => {
  const listed = [...Object.values(RUN_IN_CI).flat(), ...Object.keys(NOT_RUN_IN_CI)];
  expect(listed.toSorted()).toEqual(Object.keys(scripts).toSorted());
});

it("every documented `npm run` exists", () => {
  const unknown = FILES.flatMap(([path, text]) =>
    [...text.matchAll(/\bnpm run (?:--silent )?([a-z][a-z0-9:-]*)/g)]
      .filter(([, name]) => name !== undefined && !(name in scripts))
      .map(([command]) => `${path}: ${command}`),
  );
  expect(unknown).toEqual([]);
});
