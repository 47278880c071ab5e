/**
 * Migrates the databases, then deploys the two Workers to Cloudflare: npm run deploy [-- wrangler's options]
 *
 * Checks configuration and account before it changes anything. --check only checks; --migrate migrates the databases
 * without deploying. docs/deploying.md describes every step.
 */
import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { styleText } from "node:util";
import { Failure, runScript } from "../local/failure.ts";
import { ROOT } from "../local/paths.ts";
import { toolEnvironment, toolPath } from "../local/tool.ts";
import { makeAssets } from "../make/assets.ts";
import { lookAtAccount } from "./account-findings.ts";
import { configurationFindings } from "./configuration-findings.ts";
import { type DeployedDatabase, type Deployment, readDeployment } from "./deployment.ts";
import type { Finding } from "./finding.ts";
import { type DeployOptions, readDeployOptions } from "./options.ts";
import type { PendingMigrations } from "./pending-migrations.ts";

const MARKS = { good: "good", later: "later", missing: "MISSING" } as const;
const COLOURS = { good: "green", later: "yellow", missing: "red" } as const;

/** Runs wrangler interactively, since it may ask the operator to confirm. */
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

async function migrate(
  { binding, name }: DeployedDatabase,
  { names, sql }: PendingMigrations,
  target: readonly string[],
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "creative-packs-migrations-"));
  try {
    const file = join(folder, "pending.sql");
    await writeFile(file, sql);
    const purpose = `Migrating ${name} (${names.join(", ")})`;
    wrangler(purpose, "d1", "execute", binding, "--remote", "--yes", "--file", file, ...target);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function deploy(options: DeployOptions, deployment: Deployment): Promise<void> {
  await makeAssets();
  console.log("Looking at the configuration");
  const own = await configurationFindings(deployment);
  show(own);
  console.log("\nLooking at the account");
  const account = await lookAtAccount(deployment);
  const subjects = new Set(own.map(({ subject }) => subject));
  const others = account.findings.filter(({ subject }) => !subjects.has(subject));
  show(others);
  const findings = [...own, ...others];
  const missing = findings.filter(({ state }) => state === "missing").length;
  const open = findings.filter(({ state }) => state !== "good").length;
  if (options.isCheckOnly) {
    if (open > 0)
      throw new Failure(`${open} of ${findings.length} are not as they should be. Nothing was changed.`);
    console.log("\nEverything is there. Run `npm run deploy` to deploy.");
    return;
  }
  if (missing > 0) throw new Failure(`${missing} of ${findings.length} are missing. Nothing was changed.`);
  // Migrate every database first: the running worker tolerates new columns, and the new worker needs them.
  for (const [database, pending] of account.pending) await migrate(database, pending, options.target);
  if (options.isMigrateOnly) return;
  const { routes, consumers } = deployment.workers;
  for (const queue of account.queuesToMove) {
    const purpose = `Taking ${queue} from ${routes.name}`;
    wrangler(purpose, "queues", "consumer", "remove", queue, routes.name, ...routes.target);
  }
  // The consumers' Worker binds Durable Objects of the Worker with the routes, so the latter is deployed first. Until
  // the consumers' Worker is deployed too, jobs of a newer engine wait.
  for (const { name, target } of [routes, consumers]) {
    wrangler(`Deploying ${name}`, "deploy", ...target, ...options.rest);
  }
}

await runScript(async () => {
  const options = readDeployOptions(process.argv.slice(2));
  const deployment = readDeployment(options);
  const workers = Object.values(deployment.workers);
  try {
    for (const { file, configuration } of workers) await writeFile(file, JSON.stringify(configuration));
    await deploy(options, deployment);
  } finally {
    for (const { file } of workers) await rm(file, { force: true });
  }
});
