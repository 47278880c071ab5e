import { env } from "cloudflare:workers";
import { everyDatabase } from "#platform/databases/databases.ts";
import { anyDatabase, boundDatabases, databaseOfWorkspace, isOnShards } from "../support/homes.ts";

/**
 * Dumps a workspace's data so that two histories can be compared. Ids are numbered in order of appearance, and times
 * are reduced to present or null. Harmless differences are omitted: numbers of attempts, hashes of ids, secrets.
 */

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** The hash of an image includes its workspace's id. */
const IMAGE_HASH = /(?<=images?[:/])[0-9a-f]{64}/g;

type Row = Record<string, unknown>;

/** Columns that may differ between two otherwise identical histories. */
const LEFT_OUT = new Set([
  ...["attempts", "lease_id", "lease_until", "dispatched_at", "last_used_at", "request_hash", "secret_hash"],
  ...[
    "prefix",
    "reference",
    "sealed",
    "identity",
    "delivery_number",
    "revision",
    "manifest_sha256",
    "image_hash",
  ],
]);

/** Columns that depend on the databases where the workspace has lived. */
const OF_SHARDS = new Set(["home", "moving_to", "moving_since", "people_revision", "people_mirrored"]);

const isLeftOut = (column: string): boolean =>
  LEFT_OUT.has(column) || (isOnShards() && OF_SHARDS.has(column));

const isTime = (column: string): boolean =>
  column === "archive" || (/(_at|_after|_start|_end)$/.test(column) && column !== "balance_after");

const TABLES: Readonly<Record<string, string>> = {
  workspaces: "SELECT * FROM workspaces WHERE workspace_id = ?1",
  subscriptions: "SELECT * FROM subscriptions WHERE workspace_id = ?1 ORDER BY created_at",
  api_keys: "SELECT * FROM api_keys WHERE workspace_id = ?1 ORDER BY api_key_id",
  assets: "SELECT * FROM assets WHERE workspace_id = ?1 ORDER BY created_at",
  uploads: "SELECT * FROM uploads WHERE workspace_id = ?1 ORDER BY upload_id",
  asset_imports: "SELECT * FROM asset_imports WHERE workspace_id = ?1 ORDER BY asset_id",
  image_secrets: "SELECT * FROM image_secrets WHERE workspace_id = ?1 ORDER BY image_secret_id",
  idempotency_keys: "SELECT * FROM idempotency_keys WHERE workspace_id = ?1 ORDER BY idempotency_key",
  jobs: "SELECT * FROM jobs WHERE workspace_id = ?1 ORDER BY created_at",
  job_parts: `SELECT p.* FROM job_parts p JOIN jobs j ON j.job_id = p.job_id
    WHERE j.workspace_id = ?1 ORDER BY j.created_at, p.part`,
  ledger_events: `SELECT type, amount, source, balance_after, job_id, description, reference
    FROM ledger_events WHERE workspace_id = ?1 ORDER BY event_id`,
  usage_days: `SELECT api_key_id, contract_id, source, jobs, consumed, refunded FROM usage_days
    WHERE workspace_id = ?1 ORDER BY day, api_key_id, contract_id, source`,
  ledger_months: "SELECT opening_credits FROM ledger_months WHERE workspace_id = ?1 ORDER BY month",
  // The order in which packs were drawn does not matter.
  artifacts: "SELECT * FROM artifacts WHERE workspace_id = ?1 ORDER BY job_id",
  destinations: "SELECT * FROM destinations WHERE workspace_id = ?1 ORDER BY created_at",
  deliveries: "SELECT * FROM deliveries WHERE workspace_id = ?1 ORDER BY delivery_number",
  payments: "SELECT * FROM payments WHERE workspace_id = ?1 ORDER BY payment_id",
  top_up_rules: "SELECT * FROM top_up_rules WHERE workspace_id = ?1",
  top_ups: "SELECT * FROM top_ups WHERE workspace_id = ?1 ORDER BY created_at, top_up_id",
  delivery_files: `SELECT f.* FROM delivery_files f JOIN deliveries v ON v.delivery_id = f.delivery_id
    WHERE v.workspace_id = ?1 ORDER BY v.delivery_number, f.position`,
};

/** Test addresses begin with the workspace's id. A mail stays in the database where it was written. */
const MAILS = "SELECT * FROM mail_messages WHERE address LIKE ?1 || '%' ORDER BY created_at, address, kind";

async function mailsOf(workspaceId: string): Promise<Row[]> {
  const mails: Row[] = [];
  for (const { db } of everyDatabase(boundDatabases())) {
    mails.push(...(await db.prepare(MAILS).bind(workspaceId).all<Row>()).results);
  }
  const order = ({ created_at, address, kind }: Row) => `${created_at} ${address} ${kind}`;
  return mails.toSorted((one, other) => (order(one) < order(other) ? -1 : 1));
}

/** Objects under a workspace's prefix with their hashes. Manifests contain ids, so their hashes are left out. */
async function storedObjects(workspaceId: string): Promise<Row[]> {
  const { objects } = await env.BUCKET.list({ prefix: `workspaces/${workspaceId}/` });
  return objects.map(({ key, size, etag }) => ({
    key,
    size,
    etag: key.endsWith("/manifest.json") ? null : etag,
  }));
}

/** Keys of the objects that rows name. */
async function knownKeys(workspaceId: string): Promise<ReadonlySet<string>> {
  const { results } = await anyDatabase()
    .prepare(
      `SELECT object_key AS objectKey FROM assets WHERE workspace_id = ?1
     UNION SELECT 'workspaces/' || ?1 || '/artifacts/' || artifact_id || '/' || (file.value ->> '$.fileName')
       FROM artifacts, json_each(files) AS file WHERE workspace_id = ?1
     UNION SELECT 'workspaces/' || ?1 || '/artifacts/' || artifact_id || '/manifest.json'
       FROM artifacts WHERE workspace_id = ?1 AND manifest_sha256 IS NOT NULL
     UNION SELECT 'workspaces/' || ?1 || '/images/' || image_hash FROM jobs
       WHERE workspace_id = ?1 AND image_hash IS NOT NULL AND status = 'succeeded'`,
    )
    .bind(workspaceId)
    .all<{ objectKey: string }>();
  return new Set(results.map(({ objectKey }) => objectKey));
}

/**
 * The workspace's rows by table, its mails and its objects. Omits objects that no row names: an upload that dies after
 * storing its bytes leaves one, which the sweep deletes with the asset (see `strayObjects`).
 */
export async function dumpOf(workspaceId: string): Promise<Record<string, Row[]>> {
  const names = new Map<string, string>();
  const nameOf = (id: string): string => {
    const known = names.get(id);
    if (known !== undefined) return known;
    names.set(id, `id${names.size + 1}`);
    return nameOf(id);
  };
  const plain = (column: string, value: unknown): unknown => {
    if (isTime(column)) return value === null ? null : "time";
    return typeof value === "string" ? value.replaceAll(UUID, nameOf).replaceAll(IMAGE_HASH, "hash") : value;
  };
  const plainRow = (row: Row): Row =>
    Object.fromEntries(
      Object.entries(row)
        .filter(([column]) => !isLeftOut(column))
        .map(([column, value]) => [column, plain(column, value)]),
    );
  const dump: Record<string, Row[]> = {};
  const db = await databaseOfWorkspace(workspaceId);
  const results = await db.batch<Row>(Object.values(TABLES).map((sql) => db.prepare(sql).bind(workspaceId)));
  const named = JSON.stringify(results.map(({ results: rows }) => rows));
  for (const [at, table] of Object.keys(TABLES).entries()) {
    dump[table] = (results[at]?.results ?? []).map(plainRow);
  }
  dump.mail_messages = (await mailsOf(workspaceId)).map(plainRow);
  const objects = await storedObjects(workspaceId);
  const known = await knownKeys(workspaceId);
  dump.objects = objects
    .filter(({ key }) => known.has(String(key)) || named.includes(String(key)))
    .map(plainRow);
  return dump;
}

/** Storage keys of the workspace that no row names. */
export async function strayObjects(workspaceId: string): Promise<string[]> {
  const known = await knownKeys(workspaceId);
  return (await storedObjects(workspaceId)).map(({ key }) => String(key)).filter((key) => !known.has(key));
}
