import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { ask, reasonIn } from "./ask-wrangler.ts";
import type { DeployedDatabase, Deployment } from "./deployment.ts";
import type { Finding } from "./finding.ts";
import { optionalFindings } from "./optional-parts.ts";
import { remoteSqlFaults } from "./remote-sql.ts";

/** Checks without an account: configuration, migrations, and whether the worker builds. */

/** Variables that only a development machine may set. */
const LOCAL_VARIABLES = ["ENVIRONMENT", "ALLOW_LOOPBACK_DELIVERIES", "STRIPE_API_URL"];

const localVariables = ({ variables }: Deployment): Finding[] =>
  LOCAL_VARIABLES.filter((name) => name in variables).map((name) => ({
    subject: `variable ${name}`,
    state: "missing",
    detail: "is for a developer's machine only; take it out of the configuration",
  }));

/** A decision of the operator: see "Live previews" in docs/deploying.md. */
function livePreviews({ variables }: Deployment): Finding {
  const { LIVE_PREVIEWS: setting } = variables;
  const subject = "variable LIVE_PREVIEWS";
  if (setting !== "on" && setting !== "off") {
    return {
      subject,
      state: "missing",
      detail: 'is `"on"` or `"off"`; docs/deploying.md says what each protects',
    };
  }
  const effect =
    setting === "on" ? "members' browsers get the renderer" : "previews are drawn by the service alone";
  return { subject, state: "good", detail: `${setting}: ${effect}` };
}

const databaseIds = ({ databases, file }: Deployment): Finding[] =>
  databases
    .filter(({ isMade }) => !isMade)
    .map(({ name }) => ({
      subject: `database ${name}`,
      state: "missing",
      detail: `npx wrangler d1 create ${name}, and put the database_id it prints into ${file}`,
    }));

async function migrationFiles(databases: readonly DeployedDatabase[]): Promise<Finding> {
  const faults: string[] = [];
  let count = 0;
  for (const folder of new Set(databases.map(({ migrationsFolder }) => migrationsFolder))) {
    for (const name of (await readdir(folder)).filter((entry) => entry.endsWith(".sql")).sort()) {
      count += 1;
      for (const { line, message } of remoteSqlFaults(await readFile(join(folder, name), "utf8"))) {
        faults.push(`${name}:${line} ${message}`);
      }
    }
  }
  const subject = "migration files";
  if (faults.length > 0) return { subject, state: "missing", detail: faults.join("; ") };
  return { subject, state: "good", detail: `${count} files, as D1 takes them` };
}

/**
 * Builds the upload, so that a broken build is found before a database is migrated. Both Workers have the same source,
 * so one build is enough.
 */
async function build({ workers }: Deployment): Promise<Finding> {
  const { isGood, output } = await ask(workers.routes, "deploy", "--dry-run", "--outdir", "dist/worker");
  const subject = "worker";
  if (!isGood) return { subject, state: "missing", detail: `does not build (${reasonIn(output)})` };
  return {
    subject,
    state: "good",
    detail: `builds, ${/gzip: ([\d.]+ KiB)/.exec(output)?.[1] ?? "?"} compressed`,
  };
}

/** Checks everything that needs no account. The assets must have been built. */
export const configurationFindings = async (deployment: Deployment): Promise<Finding[]> => [
  ...localVariables(deployment),
  livePreviews(deployment),
  ...optionalFindings(deployment, []).filter(({ state }) => state === "missing"),
  await migrationFiles(deployment.databases),
  await build(deployment),
  ...databaseIds(deployment),
];
