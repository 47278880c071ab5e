/** Everything that can be said of the source without running its tests: npm run check */
import { styleText } from "node:util";
import { runScript } from "../local/failure.ts";
import { makeAssets } from "../make/assets.ts";
import { checkBundle } from "./bundle.ts";
import type { Check } from "./check.ts";
import { checkCitations } from "./citations.ts";
import {
  checkApiTables,
  checkDescription,
  checkFaceWeights,
  checkFonts,
  checkGeneratedFiles,
  checkKernels,
  checkMailTemplates,
  checkShaper,
} from "./description.ts";
import { checkDocumentPaths } from "./doc-paths.ts";
import { checkImportCycles } from "./import-cycles.ts";
import { checkImports } from "./imports.ts";
import { checkMigrations } from "./migrations.ts";
import { checkRemoteMigrations } from "./remote-migrations.ts";
import { toolCheck } from "./tool-check.ts";
import { checkUnusedExports } from "./unused-exports.ts";

const typesOf = (folder: string, project: string): Check =>
  toolCheck(`types of ${folder}`, "tsc", ["-p", project, "--noEmit"]);

const CHECKS: readonly Check[] = [
  typesOf("src", "tsconfig.json"),
  typesOf("src/renderer", "src/renderer/tsconfig.json"),
  typesOf("test", "test/tsconfig.json"),
  typesOf("bench", "bench/tsconfig.json"),
  typesOf("scripts", "scripts/tsconfig.json"),
  typesOf("sdk", "sdk/tsconfig.json"),
  typesOf("sdk/src/cli", "sdk/src/cli/tsconfig.json"),
  typesOf("studio", "studio/tsconfig.json"),
  typesOf("scripts/make/openapi", "scripts/make/openapi/tsconfig.json"),
  typesOf("scripts/make/mail", "scripts/make/mail/tsconfig.json"),
  typesOf("scripts/operate", "scripts/operate/tsconfig.json"),
  toolCheck("format and lint", "biome", ["ci", "--colors=off", "--error-on-warnings", "."]),
  toolCheck("lock file", "node", ["scripts/make/lock.ts", "--check"]),
  checkImports,
  checkImportCycles,
  checkUnusedExports,
  checkMigrations,
  checkRemoteMigrations,
  checkGeneratedFiles,
  checkApiTables,
  checkMailTemplates,
  checkCitations,
  checkDocumentPaths,
  checkKernels,
  checkFaceWeights,
  checkShaper,
  checkFonts,
  checkDescription,
  checkBundle,
];

await runScript(async () => {
  await makeAssets();
  let failures = 0;
  // One after another: the machine that matters has two cores, and tsc and wrangler use both.
  for (const check of CHECKS) {
    const { isGood, detail } = await check.run();
    const mark = isGood ? styleText("green", "pass") : styleText("red", "FAIL");
    console.log(`${mark}  ${check.name}${isGood && detail ? `: ${detail}` : ""}`);
    if (isGood) continue;
    failures += 1;
    console.log(detail.replace(/^/gm, "      "));
  }
  console.log(`${CHECKS.length - failures} checks passed, ${failures} failed`);
  if (failures > 0) process.exitCode = 1;
});
