/** A statement that takes many seconds outlasts the connection on which it is asked for. */
const ROWS_PER_STATEMENT = 50_000;

/**
 * Gives a workspace so many ledger events, ready assets and finished jobs. The rows are as the service would leave
 * them; their ids and times are made of the row's number.
 */
export async function seedWorkspace(db: D1Database, workspaceId: string, rows: number): Promise<void> {
  for (const statement of [EVENTS, ASSETS, JOBS]) {
    for (let first = 1; first <= rows; first += ROWS_PER_STATEMENT) {
      const last = Math.min(rows, first + ROWS_PER_STATEMENT - 1);
      await db.prepare(statement).bind(workspaceId, rows, first, last).run();
    }
  }
}

const NUMBERS = `WITH RECURSIVE numbers(n) AS (SELECT ?3 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?4)`;
/** A UUID that differs by workspace, kind and number. */
const idOf = (kind: string): string => `printf('%08x', n) || '-${kind}-7000-8000-' || substr(?1, 25)`;

const EVENTS = `${NUMBERS}
INSERT INTO ledger_events (workspace_id, type, amount, source, balance_after, reference, description, created_at)
SELECT ?1, 'consumption', -1, 'credits', ?2 - n + 1, 'seed:' || ?1 || ':' || n, 'Pack of one size', 1700000000000 + n
FROM numbers`;

const ASSETS = `${NUMBERS}
INSERT INTO assets (asset_id, workspace_id, slot_id, status, file_name, mime_type, byte_length, width, height, sha256,
  object_key, created_at, ready_at)
SELECT ${idOf("aaaa")}, ?1, CASE n % 2 WHEN 0 THEN 'media' ELSE 'logo' END, 'ready', 'photo.jpg', 'image/jpeg',
  123456, 1200, 800, printf('%064x', n), 'workspaces/' || ?1 || '/assets/' || n, 1700000000000 + n, 1700000000000 + n
FROM numbers`;

const JOBS = `${NUMBERS}
INSERT INTO jobs (job_id, workspace_id, status, contract_id, motion, output_format, selected_size_ids, asset_ids, copy,
  brand, render_inputs, cost_credits, render_fingerprint, artifact_id, created_at, started_at, finished_at, dispatched_at)
SELECT ${idOf("bbbb")}, ?1, 'succeeded', 'display.v1', 'static', 'png', '["iab-300x250"]', '{}', '{}', '{}', '{}', 1,
  printf('%064x', n), ${idOf("cccc")}, 1700000000000 + n, 1700000000000 + n, 1700000000000 + n, 1700000000000 + n
FROM numbers`;
