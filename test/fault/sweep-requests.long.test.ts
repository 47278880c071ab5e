import { createMessageBatch } from "cloudflare:test";
import { env as realEnv } from "cloudflare:workers";
import { beforeAll, expect, it, vi } from "vitest";
import { objectPrefixOf as artifactPrefixOf } from "#domains/artifacts/stored-file.ts";
import { objectPrefixOf as assetPrefixOf } from "#domains/assets/asset.ts";
import { runSweeps } from "#interface/queue/sweeps/run-sweeps.ts";
import { readCapabilities } from "#platform/bindings/capabilities.ts";
import type { Env } from "#platform/bindings/env.ts";
import { clock } from "#platform/clock.ts";
import { seal } from "#platform/crypto/sealed-secret.ts";
import { bindingOf, SHARD_NAMES } from "#platform/databases/shard-name.ts";
import { newId } from "#platform/ids.ts";
import worker from "../../src/worker.ts";
import { BILLING } from "../support/billing-webhook.ts";
import { standInForInternet } from "../support/internet.ts";
import { MAIL } from "../support/mail.ts";
import { silenceLogs } from "../support/read-logs.ts";
import { withShards } from "../support/shards.ts";
import { createWorkspace } from "../support/workspace.ts";
import { freshStorage } from "./fresh-storage.ts";
import { Gate } from "./gate.ts";
import { gatedDatabase, gatedEnv } from "./gated-env.ts";

/** One run of the sweep stays under its limits of requests and statements, however much is due. */

/** The platform allows 10,000. The rest is reserved for top-ups, of which this test has none. */
const SUBREQUESTS_MAX = 700;
/** D1 allows 1,000 queries, and each statement of a batch is one. The rest is reserved for moves. */
const STATEMENTS_MAX = 600;
const RUNS_MAX = 8;
const NOW_MS = Date.parse("2033-06-01T00:00:00.000Z");
const HOUR_MS = 3_600_000;

const ignore = (): void => undefined;
const PREVIOUS_KEY = btoa("integration-tests-encryption-000");

beforeAll(freshStorage);
const NUMBERS = "WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?2)";
const idOf = (kind: string) => `printf('%08x', n) || '-${kind}-7000-8000-' || substr(?1, 25)`;

const upTo = (count: number) =>
  `WITH RECURSIVE p(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM p WHERE value < ${count}) SELECT value FROM p`;

/**
 * Inserts jobs with a status and times before NOW_MS. Each has a hundred animated outputs, which need as many messages
 * as one call to the queue accepts.
 */
const jobs = (kind: string, status: string, times: string) => `${NUMBERS}
INSERT INTO jobs (job_id, workspace_id, status, contract_id, motion, output_format, selected_size_ids, asset_ids, copy,
  brand, render_inputs, cost_credits, render_fingerprint, artifact_id, created_at, dispatched_at, purge_after)
SELECT ${idOf(kind)}, ?1, '${status}', 'campaign.v1', 'animated', 'gif',
  (SELECT json_group_array('size-' || value) FROM (${upTo(100)})), '{}', '{}', '{}', '{}', 1,
  printf('%064x', n), ${idOf(kind)}, ${times} FROM numbers`;

/** Packs of two hundred files, the maximum: a hundred animated sizes with their stills. */
const PACKS = `${NUMBERS}
INSERT INTO artifacts (artifact_id, job_id, workspace_id, status, engine_version, total_bytes, created_at, expires_at, files)
SELECT ${idOf("ffff")}, ${idOf("ffff")}, ?1, 'expired', '1', 1, ${NOW_MS} - n, ${NOW_MS - 2 * HOUR_MS},
  (SELECT json_group_array(json_object('fileName', value || '.gif')) FROM (${upTo(200)})) FROM numbers`;

/** One pack on each of many days, with files deleted long ago. */
const OLD_PACKS = `${NUMBERS}
INSERT INTO artifacts (artifact_id, job_id, workspace_id, status, engine_version, total_bytes, created_at, expires_at,
  purged_at, files)
SELECT ${idOf("9999")}, ${idOf("9999")}, ?1, 'expired', '1', 1, ${NOW_MS} - n, ${NOW_MS - 2 * HOUR_MS},
  ${NOW_MS} - (40 + n) * 24 * ${HOUR_MS}, '[{"fileName":"a.gif"}]' FROM numbers`;

const ASSETS = `${NUMBERS}
INSERT INTO assets (asset_id, workspace_id, slot_id, status, file_name, mime_type, byte_length, object_key, created_at,
  deleted_at, purge_after)
SELECT ${idOf("aaaa")}, ?1, 'logo', 'ready', 'a.svg', 'image/svg+xml', 1, 'assets/' || n, ${NOW_MS} - n, 1, 1
FROM numbers`;

const PREVIEWS = `${NUMBERS}
INSERT INTO previews (object_key, workspace_id, expires_at) SELECT 'previews/' || n, ?1, 1 FROM numbers`;

/** Of every three mails, one is due, one has expired, and one was sent long ago. */
const MAILS = `${NUMBERS}
INSERT INTO mail_messages (message_id, reference, kind, address, language, facts, status, next_attempt_at, created_at,
  expires_at, finished_at)
SELECT ${idOf("eeee")}, n || ?1, 'address-changed', n || '@example.com', 'en', '{}',
  iif(n % 3 = 0, 'sent', 'queued'), iif(n % 3 = 0, NULL, ${NOW_MS - HOUR_MS}), 1,
  iif(n % 3 = 1, ${NOW_MS - 1}, ${NOW_MS + 24 * HOUR_MS}), iif(n % 3 = 0, 1, NULL) FROM numbers`;

async function seedDestinations(workspaceId: string, count: number): Promise<void> {
  const keys = { current: Uint8Array.from(atob(PREVIOUS_KEY), (c) => c.charCodeAt(0)), previous: null };
  const rows = Array.from({ length: count }, async (_, index) => {
    const destinationId = crypto.randomUUID();
    return realEnv.DB.prepare(
      `INSERT INTO destinations (destination_id, workspace_id, kind, identity, settings, sealed, events, created_at)
       VALUES (?1, ?2, 'webhook', ?1, '{}', ?3, '[]', ?4)`,
    ).bind(destinationId, workspaceId, await seal(keys, { workspaceId, destinationId }, "secret"), index);
  });
  await realEnv.DB.batch(await Promise.all(rows));
}

/** Inserts more rows of every kind than one run of the sweep handles. */
async function seedEverything(): Promise<void> {
  const { workspaceId } = await createWorkspace({ credits: 1 });
  const seed = (sql: string, count: number) => realEnv.DB.prepare(sql).bind(workspaceId, count).run();
  await seed(jobs("1111", "queued", `${NOW_MS - HOUR_MS} - n, NULL, NULL`), 160);
  await seed(jobs("2222", "running", `${NOW_MS - 2 * HOUR_MS} - n, ${NOW_MS - HOUR_MS}, NULL`), 160);
  await seed(jobs("3333", "running", `${NOW_MS - 30 * HOUR_MS} - n, ${NOW_MS}, NULL`), 60);
  await seed(jobs("4444", "failed", `${NOW_MS - 9 * HOUR_MS} - n, 1, 1`), 40);
  await seed(jobs("ffff", "succeeded", `${NOW_MS - 800 * HOUR_MS} - n, 1, NULL`), 200);
  await seed(PACKS, 200);
  await seed(jobs("9999", "succeeded", `${NOW_MS - 900 * HOUR_MS} - n, 1, NULL`), 40);
  await seed(OLD_PACKS, 40);
  await seed(ASSETS, 100);
  await seed(PREVIEWS, 1_100);
  await seed(MAILS, 900);
  await seedDestinations(workspaceId, 120);
  const tail = workspaceId.slice(24);
  const objects = Array.from({ length: 100 }, (_, index) => {
    const number = (index + 1).toString(16).padStart(8, "0");
    return [
      `${assetPrefixOf(workspaceId, `${number}-aaaa-7000-8000-${tail}`)}/object`,
      `${artifactPrefixOf(workspaceId, `${number}-4444-7000-8000-${tail}`)}file`,
    ];
  });
  await Promise.all(objects.flat().map((key) => realEnv.BUCKET.put(key, "x")));
}

it("each run stays under the platform's limit, and later runs do the rest", async () => {
  silenceLogs();
  await seedEverything();
  const requests: number[] = [];
  const statements: number[] = [];
  const isDone = async () => {
    const left = await realEnv.DB.prepare(
      `SELECT (SELECT COUNT(*) FROM artifacts WHERE purged_at IS NULL)
        + (SELECT COUNT(*) FROM artifacts WHERE purged_at < ${NOW_MS - 40 * 24 * HOUR_MS} AND files <> '[]')
        + (SELECT COUNT(*) FROM assets WHERE purge_after IS NOT NULL)
        + (SELECT COUNT(*) FROM jobs WHERE purge_after = 1 OR dispatched_at IS NULL)
        + (SELECT COUNT(*) FROM previews)
        + (SELECT COUNT(*) FROM mail_messages WHERE finished_at = 1
            OR next_attempt_at IS NOT NULL AND dispatched_at IS NULL) AS count`,
    ).first<number>("count");
    return left === 0;
  };
  for (let run = 0; run < RUNS_MAX && !(await isDone()); run += 1) {
    const gate = new Gate();
    const env = gatedEnv(gate, ignore);
    await runSweeps(
      readCapabilities({ ...env, ...MAIL, DELIVERY_ENCRYPTION_KEY_PREVIOUS: PREVIOUS_KEY }),
      NOW_MS + run * 60_000,
    );
    requests.push(gate.calls.length);
    statements.push(gate.statements);
  }
  expect(await isDone(), `requests a run: ${requests.join(", ")}`).toBe(true);
  console.log(`statements a run: ${statements.join(", ")}; requests ${requests.join(", ")}`);
  expect(Math.max(...statements), `statements a run: ${statements.join(", ")}`).toBeLessThan(STATEMENTS_MAX);
  expect(Math.max(...requests), `requests a run: ${requests.join(", ")}`).toBeLessThan(SUBREQUESTS_MAX);
});

/** Workspaces whose members are not mirrored yet, and their many former members. */
const BEHIND = `${NUMBERS}
INSERT INTO workspaces (workspace_id, name, kind, created_at, home, people_revision, people_mirrored)
SELECT ${idOf("5555")}, 'x', 'standard', 1, '00', 2, 1 FROM numbers`;
const LIVING = `${NUMBERS}
INSERT INTO workspaces (workspace_id, name, kind, created_at) SELECT ${idOf("5555")}, 'x', 'standard', 1 FROM numbers`;
const LEFT = `${NUMBERS}
INSERT INTO accounts (account_id, name, email, is_email_verified, created_at, updated_at)
SELECT ${idOf("6666")}, 'x', n || '@example.com', 1, 1, 1 FROM numbers`;
const MEMBERS = `INSERT INTO workspace_members (workspace_id, account_id, role, created_at)
SELECT w.workspace_id, a.account_id, 'member', 1 FROM workspaces w JOIN accounts a WHERE w.workspace_id LIKE '%-5555-%'`;

it("with 64 shards, each of a minute's invocations stays under a thousand statements", async () => {
  silenceLogs();
  await freshStorage();
  const [shard] = Object.values(await withShards());
  if (shard === undefined) throw new Error("no shard");
  const id = "0199f0c4-7b6e-7c3a-9b0e-2f5d1c8a4e71";
  await realEnv.DB.prepare(BEHIND).bind(id, 30).run();
  await shard.prepare(LIVING).bind(id, 150).run();
  await shard.prepare(LEFT).bind(id, 40).run();
  await shard.prepare(MEMBERS).run();
  standInForInternet(async () => Response.json({ object: "list", data: [], has_more: false }));
  const gate = new Gate();
  const asked: { readonly shard?: string; readonly task?: string }[] = [];
  const env = gatedEnv(gate, (queue, body) => {
    if (queue === "sweeps") asked.push(body as object);
  });
  // All shards are the same database here.
  const gated = gatedDatabase(shard, gate);
  const bound = Object.fromEntries(SHARD_NAMES.map((name) => [bindingOf(name), gated]));
  const settings = { ...env, ...bound, ...MAIL, ...(BILLING as Partial<Env>) };
  const dayMs = Math.floor(NOW_MS / 86_400_000) * 86_400_000;
  const dueAtMs = dayMs + 3 * HOUR_MS + 17 * 60_000;
  const counts: Record<string, number> = {};
  const counted = async (name: string, work: () => Promise<unknown>) => {
    const before = gate.statements;
    await work();
    counts[name] = gate.statements - before;
  };
  vi.spyOn(clock, "now").mockReturnValue(dueAtMs);
  await counted("clock", () => runSweeps(readCapabilities(settings), dueAtMs));
  expect(gate.calls.filter((call) => call.startsWith("queue"))).toHaveLength(1);
  expect(asked.slice(0, 64)).toEqual(SHARD_NAMES.map((name) => ({ shard: name, dueAtMs })));
  expect(asked.slice(64).map(({ task }) => task)).toEqual(["moves", "reconcile"]);
  for (const body of [asked[0], asked[64], asked[65]]) {
    const sent = { id: newId(), timestamp: new Date(dueAtMs), attempts: 1, body };
    const batch = createMessageBatch("creative-packs-sweeps", [sent]);
    await counted(body?.task ?? "shard", () => worker.queue(batch, settings));
  }
  console.log(`statements: ${JSON.stringify(counts)}`);
  expect(counts.reconcile).toBeGreaterThan(64);
  expect(counts.moves).toBeGreaterThan(300);
  for (const [name, count] of Object.entries(counts)) expect(count, name).toBeLessThan(1_000);
  expect(counts.clock).toBeLessThan(100);
});
