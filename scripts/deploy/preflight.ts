import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { runTool } from "../local/tool.ts";
import type { DeployedDatabase, Deployment } from "./deployment.ts";
import { optionalFindings } from "./optional-parts.ts";
import { remoteSqlFaults } from "./remote-sql.ts";

/** What was looked at in an account, and what is to be done where it is not as a deployment needs it. */
export interface Finding {
  readonly subject: string;
  /** `missing` stops a deployment. `later` does not: something can only be done after it, or part of the service is off. */
  readonly state: "good" | "later" | "missing";
  /** What is there, or what to do. */
  readonly detail: string;
}

/** Secrets by name, with what answers 501 without them. */
const SECRETS: Readonly<Record<string, string>> = {
  KEY_PEPPER: "every route of the API",
  DOWNLOAD_SIGNING_KEY: "download links",
  TRIAL_SECRET: "trial keys",
  AUTH_SECRET: "accounts",
  DELIVERY_ENCRYPTION_KEY: "deliveries and imports",
};

/** Variables that open what only a developer's machine may open. */
const LOCAL_VARIABLES = ["ENVIRONMENT", "ALLOW_LOOPBACK_DELIVERIES", "STRIPE_API_URL"];

interface Answer {
  readonly isGood: boolean;
  readonly output: string;
  readonly stdout: string;
}

async function ask(deployment: Deployment, ...command: readonly string[]): Promise<Answer> {
  const { code, stdout, output } = await runTool("wrangler", [...command, ...deployment.target], {
    CI: "1",
    NO_COLOR: "1",
    WRANGLER_HIDE_BANNER: "true",
    WRANGLER_WRITE_LOGS: "false",
  });
  return { isGood: code === 0, stdout, output: stripVTControlCharacters(output).trim() };
}

/** The sentence of wrangler's output, plain or JSON, that says what went wrong. */
function reasonIn(output: string): string {
  const told = /"text":\s*"([^"]+)"/.exec(output)?.[1] ?? /\[ERROR\]\s*(.+)/.exec(output)?.[1];
  return told?.split(". ")[0]?.trim() ?? "wrangler gave no reason";
}

/** A resource that is there if wrangler finds it. */
async function resource(
  deployment: Deployment,
  subject: string,
  look: readonly string[],
  create: string,
): Promise<Finding> {
  const { isGood, output } = await ask(deployment, ...look);
  if (isGood) return { subject, state: "good", detail: "there" };
  return { subject, state: "missing", detail: `npx wrangler ${create} (${reasonIn(output)})` };
}

/** Names in the table that wrangler keeps of migrations; null when the database cannot be asked. */
async function appliedMigrations(
  deployment: Deployment,
  { binding }: DeployedDatabase,
): Promise<readonly string[] | string> {
  const sql = "SELECT name FROM d1_migrations ORDER BY id";
  const command = ["d1", "execute", binding, "--remote", "--json", "--command", sql];
  const { isGood, stdout, output } = await ask(deployment, ...command);
  if (!isGood) return output.includes("no such table") ? [] : reasonIn(output);
  const answer: unknown = JSON.parse(stdout);
  const rows: readonly unknown[] = Array.isArray(answer) ? (answer[0]?.results ?? []) : [];
  return rows.flatMap((row) =>
    typeof row === "object" && row !== null && "name" in row && typeof row.name === "string"
      ? [row.name]
      : [],
  );
}

/** Of one database: whether it is there, and what is to be applied to it. */
async function migrations(deployment: Deployment, database: DeployedDatabase): Promise<Finding[]> {
  const { name: databaseName, migrationsFolder } = database;
  const subject = `database ${databaseName}`;
  // The first one is what the line has always been called by; with shards each says which it is.
  const migrated = deployment.databases.length === 1 ? "migrations" : `migrations of ${databaseName}`;
  const applied = await appliedMigrations(deployment, database);
  if (typeof applied === "string") {
    const create = `npx wrangler d1 create ${databaseName}, and put its database_id into the configuration`;
    return [{ subject, state: "missing", detail: `${create} (${applied})` }];
  }
  const names = (await readdir(migrationsFolder)).filter((name) => name.endsWith(".sql")).sort();
  const pending = names.filter((name) => !applied.includes(name));
  const unknown = applied.filter((name) => !names.includes(name));
  const faults: string[] = [];
  for (const name of pending) {
    for (const { line, message } of remoteSqlFaults(await readFile(join(migrationsFolder, name), "utf8"))) {
      faults.push(`${name}:${line} ${message}`);
    }
  }
  const findings: Finding[] = [{ subject, state: "good", detail: "there" }];
  if (unknown.length > 0) {
    const detail = `the database has ${unknown.join(", ")}, which this checkout has not: deploy from a newer one`;
    findings.push({ subject: migrated, state: "missing", detail });
  } else if (faults.length > 0) {
    findings.push({ subject: migrated, state: "missing", detail: faults.join("; ") });
  } else {
    const detail = pending.length === 0 ? "all applied" : `${pending.length} to apply: ${pending.join(", ")}`;
    findings.push({ subject: migrated, state: "good", detail });
  }
  return findings;
}

async function secrets(deployment: Deployment): Promise<Finding[]> {
  const { isGood, stdout, output } = await ask(deployment, "secret", "list", "--format", "json");
  if (!isGood && !output.includes("not found")) {
    return [{ subject: "secrets", state: "missing", detail: reasonIn(output) }];
  }
  const listed: unknown = isGood ? JSON.parse(stdout) : [];
  const names = (Array.isArray(listed) ? listed : []).map(({ name }: { name: unknown }) => name);
  const orderly = isGood ? "" : "after the first deployment: ";
  const always = Object.entries(SECRETS).map(
    ([name, user]): Finding =>
      names.includes(name)
        ? { subject: `secret ${name}`, state: "good", detail: "there" }
        : {
            subject: `secret ${name}`,
            state: "later",
            detail: `${orderly}npx wrangler secret put ${name}; without it, 501 for ${user}`,
          },
  );
  return [...always, ...optionalFindings(deployment, names)];
}

const localVariables = ({ variables }: Deployment): Finding[] =>
  LOCAL_VARIABLES.filter((name) => name in variables).map((name) => ({
    subject: `variable ${name}`,
    state: "missing",
    detail: "is for a developer's machine only; take it out of the configuration",
  }));

/** What an operator decides: see "Live previews" in docs/deploying.md. */
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

/** Looks at everything that a deployment needs. Reads only. Findings stand in the order in which they are mended. */
export async function findingsOf(deployment: Deployment): Promise<Finding[]> {
  const databases: Finding[] = [];
  for (const database of deployment.databases) databases.push(...(await migrations(deployment, database)));
  // An account that cannot be asked gives the same reason for everything.
  const looks = [
    ...deployment.buckets.map((name) =>
      resource(
        deployment,
        `bucket ${name}`,
        ["r2", "bucket", "info", name, "--json"],
        `r2 bucket create ${name}`,
      ),
    ),
    ...deployment.queues.map((name) =>
      resource(deployment, `queue ${name}`, ["queues", "info", name], `queues create ${name}`),
    ),
  ];
  return [
    ...localVariables(deployment),
    livePreviews(deployment),
    ...databases,
    ...(await Promise.all(looks)),
    ...(await secrets(deployment)),
  ];
}
