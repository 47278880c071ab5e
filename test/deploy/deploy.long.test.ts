import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { readDeployment } from "../../scripts/deploy/deployment.ts";
import { readDeployOptions } from "../../scripts/deploy/options.ts";
import { SCHEMA_QUERY } from "../../scripts/deploy/pending-migrations.ts";
import { inRoot, ROOT } from "../../scripts/local/paths.ts";
import { SECRET_NAMES } from "../../scripts/local/secrets.ts";
import { shardStanza } from "../../scripts/local/shards.ts";
import { runTool, type ToolOutcome, WRANGLER_ENVIRONMENT } from "../../scripts/local/tool.ts";
import { CloudflareApi, NEW_DATABASE_ID } from "./cloudflare-api.ts";
import { deliverPack } from "./deliver-pack.ts";
import { RemoteD1 } from "./remote-d1.ts";

/**
 * A deployment succeeds or changes nothing. The script runs against a local account whose query endpoint truncates
 * triggers and keeps statements before a failure.
 */

const DATABASE_ID = "11111111-1111-4111-8111-111111111111";
/** A file beside wrangler.toml, because paths in a configuration are relative to its folder; ignored by git. */
const CONFIG = `wrangler.rehearsal-${process.pid}.toml`;
const { queues: QUEUES, consumed: CONSUMED } = readDeployment(readDeployOptions([]));
/** The Worker with the routes, and the Worker with the consumers. */
const [ROUTES, CONSUMERS] = ["creative-packs", "creative-packs-consumers"];

const api = new CloudflareApi();
let baseUrl = "";

beforeAll(async () => {
  baseUrl = await api.start();
  const published = readFileSync(inRoot("wrangler.toml"), "utf8");
  await writeFile(inRoot(CONFIG), published.replace("00000000-0000-0000-0000-000000000000", DATABASE_ID));
});
afterAll(async () => {
  await api.stop();
  await rm(inRoot(CONFIG), { force: true });
});

const ACCOUNT = {
  CLOUDFLARE_ACCOUNT_ID: "0123456789abcdef0123456789abcdef",
  CLOUDFLARE_API_TOKEN: "rehearsal",
};

const run = (
  tool: string,
  parameters: readonly string[],
  signedIn: Readonly<Record<string, string>> = ACCOUNT,
): Promise<ToolOutcome> =>
  runTool(tool, parameters, {
    ...WRANGLER_ENVIRONMENT,
    CLOUDFLARE_API_BASE_URL: baseUrl,
    CLOUDFLARE_API_TOKEN: "",
    ...signedIn,
  });

const deploy = (...parameters: readonly string[]): Promise<ToolOutcome> =>
  run("node", ["scripts/deploy/deploy.ts", "--config", CONFIG, ...parameters]);

const databaseAt = (id: string): RemoteD1 => {
  const database = new RemoteD1();
  api.account.databases.set(id, database);
  return database;
};

const changes = (): string[] =>
  api.requests.filter((request) => !request.startsWith("GET ") && !/graphql|\/query$/.test(request));

/**
 * Checks that each queue has one consumer, the second Worker; that only one Worker has a schedule; and that no route
 * leads to the consumers.
 */
function expectTwoWorkers(): void {
  const { consumers, scripts } = api.account;
  expect(Object.fromEntries(consumers)).toEqual(
    Object.fromEntries(CONSUMED.map((queue) => [queue, CONSUMERS])),
  );
  const owners = (owner: string | undefined) => [owner, owner, owner];
  expect(scripts.get(ROUTES)).toMatchObject({ crons: [], cpuMs: 30_000, isReachable: true });
  expect(scripts.get(ROUTES)?.objectsOf).toEqual(owners(undefined));
  expect(scripts.get(CONSUMERS)).toMatchObject({
    crons: [{ cron: "* * * * *" }],
    cpuMs: 300_000,
    isReachable: false,
    objectsOf: owners(ROUTES),
  });
}

it("checking a deployment needs no account", async () => {
  const { code, output } = await run("node", ["scripts/deploy/deploy.ts", "--check"], {});
  expect(code).toBe(1);
  expect(output).toContain("good     variable LIVE_PREVIEWS");
  expect(output).toContain("good     migration files");
  expect(output).toContain("good     worker: builds");
  expect(output).toContain("MISSING  database creative-packs: npx wrangler d1 create");
  expect(output.match(/MISSING {2}sign-in: npx wrangler login/g)).toHaveLength(1);
});

it("a deployment to an empty account names everything that is missing, and changes nothing", async () => {
  const { code, output } = await deploy();
  expect(code).toBe(1);
  for (const name of QUEUES) expect(output).toContain(`npx wrangler queues create ${name}`);
  const guide = readFileSync(inRoot("docs/deploying.md"), "utf8");
  const listed = execFileSync("sh", ["-c", /for queue in \$\((.+)\); do/.exec(guide)?.[1] ?? ""], {
    cwd: ROOT,
  });
  expect(listed.toString().trim().split("\n").sort()).toEqual([...QUEUES].sort());
  expect(output).toContain("npx wrangler r2 bucket create creative-packs");
  expect(output).toContain("database creative-packs");
  expect(changes()).toEqual([]);
  expect(api.account.uploads).toEqual([]);
});

it("a deployment completes a migration that `wrangler d1` left half-applied, and deploys two Workers", async () => {
  const database = databaseAt(DATABASE_ID);
  api.account.buckets.add("creative-packs");
  for (const name of QUEUES) api.account.queues.add(name);
  const broken = await run("wrangler", ["d1", "migrations", "apply", "DB", "--remote", "--config", CONFIG]);
  expect(broken.output).toContain("incomplete input");
  expect(database.query("SELECT name FROM sqlite_master WHERE name = 'jobs'")[0]?.results).toHaveLength(1);

  const first = await deploy();
  expect(first.output).toContain("half applied");
  expect(first.output).toContain("Deployed creative-packs");
  expect(first.code).toBe(0);
  expect(api.account.uploads).toEqual([ROUTES, CONSUMERS]);
  expectTwoWorkers();
  const triggers = database.query("SELECT name FROM sqlite_master WHERE type = 'trigger'")[0]?.results;
  expect(triggers).toContainEqual({ name: "ledger_events_apply_credits" });

  expect(first.output).toContain("npx wrangler secret put KEY_PEPPER");
  for (const { secrets } of api.account.scripts.values()) {
    for (const name of SECRET_NAMES) secrets.add(name);
  }
  const check = await deploy("--check");
  expect(check.output).toContain("all applied");
  expect(check.output).toContain("good     variable MP4_OUTPUT");
  expect(check.code).toBe(0);
  expect(api.account.uploads).toHaveLength(2);
});

it("a deployment moves queues and schedule from an earlier single Worker, even after a failed attempt", async () => {
  for (const queue of CONSUMED) api.account.consumers.set(queue, ROUTES);
  api.account.consumers.delete(CONSUMED[1] ?? "");
  api.account.scripts.get(ROUTES)?.crons.push({ cron: "* * * * *" });
  const second = await deploy();
  expect(second.output).toContain(`${CONSUMED.length - 1} are moved from ${ROUTES} to ${CONSUMERS}`);
  expect(second.output).toContain(`Deployed ${CONSUMERS}`);
  expect(second.code).toBe(0);
  expect(api.account.uploads).toHaveLength(4);
  expectTwoWorkers();
  for (const option of ["--domain=packs.example", "--name"]) {
    expect(() => readDeployOptions([option])).toThrow("would reach both Workers");
  }
});

it("a deployment migrates a shard before binding it, and stops if the shard is missing", async () => {
  const path = inRoot(CONFIG);
  const before = readFileSync(path, "utf8");
  const added = await run("node", ["scripts/operate/shards.ts", "add", "--remote", "--config", CONFIG]);
  expect(added).toMatchObject({ code: 0 });
  expect(readFileSync(path, "utf8")).toBe(
    `${before}${shardStanza("00", "creative-packs-00", NEW_DATABASE_ID)}`,
  );
  api.account.databases.delete(NEW_DATABASE_ID);
  api.account.scripts.get(CONSUMERS)?.secrets.delete("KEY_PEPPER");
  const uploads = api.account.uploads.length;
  const { code, output } = await deploy();
  expect(output).toContain(`MISSING  secret KEY_PEPPER of ${CONSUMERS}`);
  api.account.scripts.get(CONSUMERS)?.secrets.add("KEY_PEPPER");
  expect({ code, output }).toMatchObject({
    code: 1,
    output: expect.stringContaining("d1 create creative-packs-00"),
  });

  const shard = databaseAt(NEW_DATABASE_ID);
  const second = await deploy("--migrate");
  expect(api.account.uploads).toHaveLength(uploads);
  expect(second.output).toMatch(/migrations of creative-packs: all applied/);
  expect(second.output).toMatch(/migrations of creative-packs-00: \d+ to apply/);
  expect(second.code).toBe(0);
  const tables = shard.query("SELECT name FROM sqlite_master WHERE type = 'table'")[0]?.results;
  expect(tables).toContainEqual({ name: "workspace_moves" });
  await writeFile(path, before);
});

it("the worker delivers a pack from the migrated database, with six connections and through Cloudflare's cache", async () => {
  const schema = api.account.databases.get(DATABASE_ID)?.query(`${SCHEMA_QUERY} ORDER BY rowid`)[0]?.results;
  const { store, packId, ...checked } = await deliverPack(
    (schema ?? []).map((row) => z.object({ sql: z.string() }).parse(row).sql),
  );
  expect(checked).toEqual({ status: "succeeded", missing: [], rewritten: 0 });
  const heads = store.requests.filter((request) => request.startsWith("HEAD"));
  expect(new Set(heads)).toEqual(new Set(["HEAD object 200"]));
  expect([...store.objects.keys()]).toContain(`rehearsal/${packId}/manifest.json`);
});

it("a deployment stops before replacing the worker if the checkout is older than the database", async () => {
  const database = api.account.databases.get(DATABASE_ID);
  database?.query("INSERT INTO d1_migrations (name) VALUES ('9999_from_a_newer_checkout.sql');");
  const uploads = api.account.uploads.length;
  const { code, output } = await deploy();
  expect({ code, output }).toMatchObject({ code: 1, output: expect.stringContaining("9999_from_a_newer") });
  expect(api.account.uploads).toHaveLength(uploads);
});
