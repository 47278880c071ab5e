/**
 * Sends the worker to Cloudflare, its databases first: npm run deploy [-- wrangler's options]
 * Looks at the account before it changes anything; with --check it only looks. docs/deploying.md has every step.
 */
import { spawnSync } from "node:child_process";
import { styleText } from "node:util";
import { readDeployment } from "./deploy/deployment.ts";
import { readDeployOptions } from "./deploy/options.ts";
import { type Finding, findingsOf } from "./deploy/preflight.ts";
import { Failure, runScript } from "./local/failure.ts";
import { ROOT } from "./local/paths.ts";
import { toolEnvironment, toolPath } from "./local/tool.ts";
import { makeAssets } from "./make-assets.ts";

const MARKS = { good: "good", later: "later", missing: "MISSING" } as const;
const COLOURS = { good: "green", later: "yellow", missing: "red" } as const;

/** Runs wrangler in sight of the operator, who may be asked to confirm. */
function wrangler(purpose: string, ...parameters: readonly string[]): void {
  console.log(`\n${purpose}`);
  const { status } = spawnSync(toolPath("wrangler"), parameters, {
    cwd: ROOT,
    env: toolEnvironment(),
    stdio: "inherit",
  });
  if (status !== 0) throw new Failure(`${purpose} failed. Nothing after it was done.`);
}

function show(findings: readonly Finding[]): void {
  for (const { subject, state, detail } of findings) {
    console.log(`${styleText(COLOURS[state], MARKS[state].padEnd(7))}  ${subject}: ${detail}`);
  }
}

await runScript(async () => {
  const options = readDeployOptions(process.argv.slice(2));
  const deployment = readDeployment(options);
  console.log("Looking at the account");
  const findings = await findingsOf(deployment);
  show(findings);
  const missing = findings.filter(({ state }) => state === "missing").length;
  const open = findings.filter(({ state }) => state !== "good").length;
  if (options.isCheckOnly) {
    if (open > 0)
      throw new Failure(`${open} of ${findings.length} are not as they should be. Nothing was changed.`);
    console.log("\nEverything is there. `npm run deploy` may go ahead.");
    return;
  }
  if (missing > 0) throw new Failure(`${missing} of ${findings.length} are missing. Nothing was changed.`);
  await makeAssets();
  // First the tables, of every database: the running worker does with new columns, the new one not without them.
  const { databases, target } = deployment;
  for (const { binding, name } of databases) {
    wrangler(`Migrating ${name}`, "d1", "migrations", "apply", binding, "--remote", ...target);
  }
  wrangler("Deploying the worker", "deploy", ...target, ...options.rest);
});
