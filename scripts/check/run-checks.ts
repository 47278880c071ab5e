/** All static checks of the source: npm run check */
import { styleText } from "node:util";
import { runScript } from "../local/failure.ts";
import { makeAssets } from "../make/assets.ts";
import { checkBundle } from "./bundle.ts";
import type { Check } from "./check.ts";
import { checkCitations } from "./citations.ts";
import { checkDocumentPaths } from "./doc-paths.ts";
import { checkImportCycles } from "./import-cycles.ts";
import { checkImports } from "./imports.ts";
import { checkMigrations } from "./migrations.ts";
import { checkRemoteMigrations } from "./remote-migrations.ts";
import { toolCheck } from "./tool-check.ts";
import { checkUnusedExports } from "./unused-exports.ts";

const typesOf = (folder: string, project: string): Check =>
  toolCheck(`types of ${folder}`, "tsc", ["-p", project, "--noEmit"]);

/** Checks that committed files match the output of the script that writes them. */
const inStep = (name: string, script: string): Check =>
  toolCheck(name, "node", [`scripts/make/${script}.ts`, "--check"]);

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
  inStep("lock file", "lock"),
  checkImports,
  checkImportCycles,
  checkUnusedExports,
  checkMigrations,
  checkRemoteMigrations,
  inStep("schema/ in step with the source", "openapi"),
  inStep("tables and drawings of docs/", "api-tables"),
  inStep("templates of mails in step with their source", "mail"),
  checkCitations,
  checkDocumentPaths,
  inStep("kernels in step with the source", "kernels"),
  inStep("face detector in step with its package", "face-weights"),
  inStep("shaper in step with its package", "shaper"),
  inStep("font library in step with its packages", "fonts"),
  toolCheck("OpenAPI description", "redocly", ["lint", "schema/openapi.json"], {
    REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
    REDOCLY_TELEMETRY: "off",
  }),
  checkBundle,
];

await runScript(async () => {
  await makeAssets();
  let failures = 0;
  // Sequential: with two cores, tsc and wrangler each use both.
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
