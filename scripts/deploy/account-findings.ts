import { RECORD, readMigrations } from "../local/migrate.ts";
import { type Answer, ask, reasonIn } from "./ask-wrangler.ts";
import { queuesToMove } from "./consumers-to-move.ts";
import type { DeployedDatabase, Deployment } from "./deployment.ts";
import type { Finding } from "./finding.ts";
import { optionalFindings } from "./optional-parts.ts";
import { type PendingMigrations, pendingMigrations, SCHEMA_QUERY } from "./pending-migrations.ts";

/** Checks which resources of a deployment an account has, and what each database lacks. Read-only. */
export interface AccountState {
  /** In the order in which the operator should fix them. */
  readonly findings: readonly Finding[];
  readonly pending: ReadonlyMap<DeployedDatabase, PendingMigrations>;
  /** Queues that the Worker with the routes still consumes, in the order in which to remove that consumer. */
  readonly queuesToMove: readonly string[];
}

/** Secrets by name, with the consequence if one is missing. */
const SECRETS: Readonly<Record<string, string>> = {
  KEY_PEPPER: "501 for every route of the API",
  KEY_CHECK_SECRET: "made-up keys cost reads of the database",
  DOWNLOAD_SIGNING_KEY: "501 for download links",
  TRIAL_SECRET: "501 for trial keys",
  AUTH_SECRET: "501 for accounts",
  DELIVERY_ENCRYPTION_KEY: "501 for deliveries and imports",
};

const isSignedOut = ({ isGood, output }: Answer): boolean =>
  !isGood && /CLOUDFLARE_API_TOKEN|wrangler login|Not logged in|Authentication error/i.test(output);

const bucket = async (deployment: Deployment, name: string): Promise<Finding> => {
  const subject = `bucket ${name}`;
  const { isGood, output } = await ask(deployment, "r2", "bucket", "info", name, "--json");
  if (isGood) return { subject, state: "good", detail: "there" };
  return {
    subject,
    state: "missing",
    detail: `npx wrangler r2 bucket create ${name} (${reasonIn(output)})`,
  };
};

/** Reads all queues from one list, because a lookup by name starts wrangler for each queue. */
async function queues(deployment: Deployment): Promise<Finding[]> {
  const found = new Set<string>();
  let before = "";
  for (let page = 1; found.size < deployment.queues.length; page += 1) {
    const { isGood, output } = await ask(deployment, "queues", "list", "--page", String(page));
    if (!isGood) return [{ subject: "queues", state: "missing", detail: reasonIn(output) }];
    const words = new Set(output.split(/[^\w-]+/));
    for (const name of deployment.queues) if (words.has(name)) found.add(name);
    // A page number past the end returns an empty page or the last page again.
    if (output === "" || output === before) break;
    before = output;
  }
  return deployment.queues.map((name) => ({
    subject: `queue ${name}`,
    ...(found.has(name)
      ? { state: "good", detail: "there" }
      : { state: "missing", detail: `npx wrangler queues create ${name}` }),
  }));
}

/** One column of a query's rows, or wrangler's error. */
async function column(
  deployment: Deployment,
  { binding }: DeployedDatabase,
  name: string,
  sql: string,
): Promise<readonly string[] | string> {
  const command = ["d1", "execute", binding, "--remote", "--json", "--command", sql];
  const { isGood, stdout, output } = await ask(deployment, ...command);
  if (!isGood) return output.includes("no such table") ? [] : reasonIn(output);
  const answer: unknown = JSON.parse(stdout);
  const rows: readonly unknown[] = Array.isArray(answer) ? (answer[0]?.results ?? []) : [];
  return rows.map((row) => String(Object(row)[name]));
}

interface DatabaseState {
  readonly findings: readonly Finding[];
  readonly pending: PendingMigrations | null;
}

/** Whether a database exists, and its pending migrations. */
async function lookAtDatabase(deployment: Deployment, database: DeployedDatabase): Promise<DatabaseState> {
  const subject = `database ${database.name}`;
  const migrated = deployment.databases.length === 1 ? "migrations" : `migrations of ${database.name}`;
  const applied = await column(deployment, database, "name", `SELECT name FROM ${RECORD} ORDER BY id`);
  const schema =
    typeof applied === "string" ? applied : await column(deployment, database, "sql", SCHEMA_QUERY);
  if (typeof applied === "string" || typeof schema === "string") {
    const create = `npx wrangler d1 create ${database.name}, and put its database_id into the configuration`;
    return { findings: [{ subject, state: "missing", detail: `${create} (${schema})` }], pending: null };
  }
  const there: Finding = { subject, state: "good", detail: "there" };
  const migrations = await readMigrations(database.migrationsFolder);
  const unknown = applied.filter((name) => migrations.every((migration) => migration.name !== name));
  if (unknown.length > 0) {
    const detail = `the database has ${unknown.join(", ")}, which this checkout has not: deploy from a newer one`;
    return { findings: [there, { subject: migrated, state: "missing", detail }], pending: null };
  }
  const pending = pendingMigrations(migrations, applied, schema);
  const half = pending?.resumesAt ? `, the first of them half applied and finished now` : "";
  const detail =
    pending === null
      ? "all applied"
      : `${pending.names.length} to apply${half}: ${pending.names[0]} to ${pending.names.at(-1)}`;
  return { findings: [there, { subject: migrated, state: "good", detail }], pending };
}

const consumerMove = ({ workers }: Deployment, moved: readonly string[]): Finding => ({
  subject: "queue consumers",
  state: "good",
  detail: `${moved.length} are moved from ${workers.routes.name} to ${workers.consumers.name}`,
});

const isUnknownWorker = ({ output }: Answer): boolean => /not found|does not exist/.test(output);

function namesIn({ isGood, stdout }: Answer): readonly string[] {
  const listed: unknown = isGood ? JSON.parse(stdout) : [];
  return (Array.isArray(listed) ? listed : []).map(({ name }: { name: unknown }) => String(name));
}

/** `routes` and `consumers`: names of the secrets of the two Workers. */
function secretFindings(deployment: Deployment, routes: Answer, consumers: Answer): Finding[] {
  const failed = [routes, consumers].find((answer) => !answer.isGood && !isUnknownWorker(answer));
  if (failed) return [{ subject: "secrets", state: "missing", detail: reasonIn(failed.output) }];
  const names = namesIn(routes);
  const orderly = routes.isGood ? "" : "after the first deployment: ";
  const always = Object.entries(SECRETS).map(
    ([name, effect]): Finding =>
      names.includes(name)
        ? { subject: `secret ${name}`, state: "good", detail: "there" }
        : {
            subject: `secret ${name}`,
            state: "later",
            detail: `${orderly}npx wrangler secret put ${name}; without it, ${effect}`,
          },
  );
  const { workers } = deployment;
  return [
    ...always,
    ...optionalFindings(deployment, names),
    ...secretsOfOne(workers.routes.name, names, workers.consumers.name, namesIn(consumers)),
    ...secretsOfOne(workers.consumers.name, namesIn(consumers), workers.routes.name, names),
  ];
}

/**
 * Findings for secrets that only one of the two Workers has. Each Worker must read what the other has encrypted or
 * signed, so both need the same secrets.
 */
const secretsOfOne = (
  owner: string,
  owned: readonly string[],
  other: string,
  names: readonly string[],
): Finding[] =>
  owned
    .filter((name) => !names.includes(name))
    .map((name) => ({
      subject: `secret ${name} of ${other}`,
      state: "missing",
      detail: `npx wrangler secret put ${name} --name ${other}, with the value that ${owner} has`,
    }));

/** Checks the account's resources. Returns one finding if wrangler is not logged in. */
export async function lookAtAccount(deployment: Deployment): Promise<AccountState> {
  const { routes, consumers } = deployment.workers;
  const secrets = await ask(routes, "secret", "list", "--format", "json");
  if (isSignedOut(secrets)) {
    const detail = `npx wrangler login, or set CLOUDFLARE_API_TOKEN (${reasonIn(secrets.output)})`;
    return {
      findings: [{ subject: "sign-in", state: "missing", detail }],
      pending: new Map(),
      queuesToMove: [],
    };
  }
  const pending = new Map<DeployedDatabase, PendingMigrations>();
  const databases: Finding[] = [];
  for (const database of deployment.databases.filter(({ isMade }) => isMade)) {
    const state = await lookAtDatabase(deployment, database);
    databases.push(...state.findings);
    if (state.pending !== null) pending.set(database, state.pending);
  }
  const buckets = await Promise.all(deployment.buckets.map((name) => bucket(deployment, name)));
  const moved = await queuesToMove(deployment);
  const findings = [
    ...databases,
    ...buckets,
    ...(await queues(deployment)),
    ...(moved.length === 0 ? [] : [consumerMove(deployment, moved)]),
    ...secretFindings(deployment, secrets, await ask(consumers, "secret", "list", "--format", "json")),
  ];
  return { findings, pending, queuesToMove: moved };
}
