import { readFileSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inRoot } from "../../scripts/local/paths.ts";
import { shardStanza } from "../../scripts/local/shards.ts";
import { runTool, type ToolOutcome } from "../../scripts/local/tool.ts";
import { CloudflareApi } from "./cloudflare-api.ts";
import { RemoteD1 } from "./remote-d1.ts";

/**
 * Guarantee: a deployment is right or changes nothing. The script runs against an account on this machine that splits
 * migrations as narrowly as D1's remote endpoint was seen to, from the empty account to the second deployment.
 */

const DATABASE_ID = "11111111-1111-4111-8111-111111111111";
const SHARD_ID = "22222222-2222-4222-8222-222222222222";
const QUEUES = ["render", "deliveries", "imports", "mail"]
  .flatMap((name) => [name, `${name}-dead`])
  .map((name) => `creative-packs-${name}`);
const SECRETS = [
  "KEY_PEPPER",
  "DOWNLOAD_SIGNING_KEY",
  "TRIAL_SECRET",
  "AUTH_SECRET",
  "DELIVERY_ENCRYPTION_KEY",
];
/** Paths in a configuration are relative to it, so it stands beside wrangler.toml; git ignores it. */
const CONFIG = `wrangler.rehearsal-${process.pid}.toml`;

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

const deploy = (...parameters: readonly string[]): Promise<ToolOutcome> =>
  runTool("node", ["scripts/deploy.ts", "--config", CONFIG, ...parameters], {
    CI: "1",
    CLOUDFLARE_ACCOUNT_ID: "0123456789abcdef0123456789abcdef",
    CLOUDFLARE_API_BASE_URL: baseUrl,
    CLOUDFLARE_API_TOKEN: "rehearsal",
    NO_COLOR: "1",
    WRANGLER_SEND_METRICS: "false",
    WRANGLER_WRITE_LOGS: "false",
  });

const changes = (): string[] =>
  api.requests.filter((request) => !request.startsWith("GET ") && !/graphql|\/query$/.test(request));

describe("a deployment", () => {
  it("says of a configuration without a database what to do", async () => {
    const { code, output } = await runTool("node", ["scripts/deploy.ts", "--check"]);
    expect({ code, output }).toMatchObject({
      code: 1,
      output: expect.stringContaining("wrangler d1 create"),
    });
  });

  it("names everything an empty account lacks, and changes nothing", async () => {
    const { code, output } = await deploy();
    expect(code).toBe(1);
    for (const name of QUEUES) expect(output).toContain(`npx wrangler queues create ${name}`);
    expect(output).toContain("npx wrangler r2 bucket create creative-packs");
    expect(output).toContain("database creative-packs");
    expect(changes()).toEqual([]);
    expect(api.account.uploads).toEqual([]);
  });

  it("migrates as the remote endpoint splits, deploys, and may be repeated", async () => {
    const database = new RemoteD1();
    api.account.databases.set(DATABASE_ID, database);
    api.account.buckets.add("creative-packs");
    for (const name of QUEUES) api.account.queues.add(name);

    const first = await deploy();
    expect(first.output).toContain("Deployed creative-packs");
    expect(first.code).toBe(0);
    expect(api.account.uploads).toHaveLength(1);
    const triggers = database.query("SELECT name FROM sqlite_master WHERE type = 'trigger';")[0]?.results;
    expect(triggers).toContainEqual({ name: "ledger_events_apply_credits" });

    const check = await deploy("--check");
    expect(check.output).toContain("all applied");
    expect(check.output).toContain("npx wrangler secret put KEY_PEPPER");
    expect(check.code).toBe(1);

    for (const name of SECRETS) api.account.secrets.add(name);
    expect(await deploy("--check")).toMatchObject({ code: 0 });
    expect(api.account.uploads).toHaveLength(1);
    expect(await deploy()).toMatchObject({ code: 0 });
    expect(api.account.uploads).toHaveLength(2);
  });

  it("migrates a shard before it is bound, and stops where that is not there", async () => {
    const path = inRoot(CONFIG);
    const before = readFileSync(path, "utf8");
    await writeFile(path, `${before}${shardStanza("00", "creative-packs-00", SHARD_ID)}`);
    const uploads = api.account.uploads.length;
    const { code, output } = await deploy();
    expect({ code, output }).toMatchObject({
      code: 1,
      output: expect.stringContaining("d1 create creative-packs-00"),
    });
    expect(api.account.uploads).toHaveLength(uploads);

    const shard = new RemoteD1();
    api.account.databases.set(SHARD_ID, shard);
    const second = await deploy();
    expect(second.output).toMatch(/migrations of creative-packs: all applied/);
    expect(second.output).toMatch(/migrations of creative-packs-00: \d+ to apply/);
    expect(second.code).toBe(0);
    const tables = shard.query("SELECT name FROM sqlite_master WHERE type = 'table';")[0]?.results;
    expect(tables).toContainEqual({ name: "workspace_moves" });
    await writeFile(path, before);
  });

  it("from an older checkout than the database stops before the worker is replaced", async () => {
    const database = api.account.databases.get(DATABASE_ID);
    database?.query("INSERT INTO d1_migrations (name) VALUES ('9999_from_a_newer_checkout.sql');");
    const uploads = api.account.uploads.length;
    const { code, output } = await deploy();
    expect({ code, output }).toMatchObject({ code: 1, output: expect.stringContaining("9999_from_a_newer") });
    expect(api.account.uploads).toHaveLength(uploads);
  });
});
