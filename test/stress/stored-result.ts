/** The stored result of a load of jobs that cost one credit each, read directly from every row of the databases. */

export interface DatabaseBooks {
  readonly jobIds: readonly string[];
  /** Keys at which each pack's file and manifest must be stored. */
  readonly objectKeys: readonly string[];
  /** Number of jobs by status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Number of remaining rows of parts, queue slots and waiting jobs. */
  readonly leftovers: number;
  /** Number of jobs without exactly one ledger event of one credit, and of events without their job. */
  readonly wronglyCharged: number;
  /** Number of workspaces whose balance is not the sum of their events, and of events with a wrong `balance_after`. */
  readonly unbalanced: number;
  /** Sums over all workspaces (`credits`) and all events (`ledgerSum`). */
  readonly credits: number;
  readonly ledgerSum: number;
}

interface JobRow {
  readonly jobId: string;
  readonly status: string;
  readonly workspaceId: string;
  readonly artifactId: string;
  readonly files: string | null;
}

const JOBS = `SELECT jobs.job_id AS jobId, jobs.status, jobs.workspace_id AS workspaceId,
    jobs.artifact_id AS artifactId, artifacts.files
  FROM jobs LEFT JOIN artifacts ON artifacts.artifact_id = jobs.artifact_id
  WHERE jobs.job_id > ?1 ORDER BY jobs.job_id LIMIT ?2`;

const LEFTOVERS = `SELECT (SELECT COUNT(*) FROM job_parts) + (SELECT COUNT(*) FROM jobs WHERE is_waiting = 1)`;

const WRONGLY_CHARGED = `SELECT
  (SELECT COUNT(*) FROM (
    SELECT jobs.job_id FROM jobs LEFT JOIN ledger_events AS event ON event.job_id = jobs.job_id
    GROUP BY jobs.job_id
    HAVING COUNT(event.event_id) <> 1 OR SUM(event.amount) <> -1 OR MAX(event.type) <> 'consumption'))
  + (SELECT COUNT(*) FROM ledger_events AS event WHERE job_id IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.job_id = event.job_id))`;

const UNBALANCED = `SELECT
  (SELECT COUNT(*) FROM workspaces WHERE credits <> (
    SELECT COALESCE(SUM(amount), 0) FROM ledger_events AS event
    WHERE event.workspace_id = workspaces.workspace_id AND source = 'credits'))
  + (SELECT COUNT(*) FROM (
    SELECT balance_after, SUM(amount) OVER (PARTITION BY workspace_id ORDER BY event_id) AS upto
    FROM ledger_events WHERE source = 'credits') WHERE balance_after <> upto)`;

/** Maximum rows per response of the local database. */
const ROWS_AT_ONCE = 5_000;

const numberOf = async (db: D1Database, sql: string): Promise<number> => {
  const row = await db.prepare(`SELECT (${sql}) AS number`).first<{ readonly number: number }>();
  return row?.number ?? 0;
};

const sumOf = (db: D1Database, column: string, table: string): Promise<number> =>
  numberOf(db, `SELECT COALESCE(SUM(${column}), 0) FROM ${table}`);

async function readJobs(db: D1Database): Promise<readonly JobRow[]> {
  const jobs: JobRow[] = [];
  for (let after = ""; ; ) {
    const { results } = await db.prepare(JOBS).bind(after, ROWS_AT_ONCE).all<JobRow>();
    const last = results.at(-1);
    if (last === undefined) return jobs;
    jobs.push(...results);
    after = last.jobId;
  }
}

/**
 * Object keys of a pack with exactly one file of one byte. Returns none for any other pack, so that its files count as
 * missing.
 */
function objectKeysOf({ workspaceId, artifactId, files }: JobRow): readonly string[] {
  const listed: { fileName: string; byteLength: number }[] = JSON.parse(files ?? "[]");
  const [file] = listed;
  if (file === undefined || listed.length > 1 || file.byteLength !== 1) return [];
  const folder = `workspaces/${workspaceId}/artifacts/${artifactId}/`;
  return [`${folder}${file.fileName}`, `${folder}manifest.json`];
}

export async function readDatabase(db: D1Database): Promise<DatabaseBooks> {
  const jobs = await readJobs(db);
  const statuses: Record<string, number> = {};
  for (const { status } of jobs) statuses[status] = (statuses[status] ?? 0) + 1;
  return {
    jobIds: jobs.map(({ jobId }) => jobId),
    objectKeys: jobs.flatMap(objectKeysOf),
    statuses,
    leftovers: await numberOf(db, LEFTOVERS),
    wronglyCharged: await numberOf(db, WRONGLY_CHARGED),
    unbalanced: await numberOf(db, UNBALANCED),
    credits: await sumOf(db, "credits", "workspaces"),
    ledgerSum: await sumOf(db, "amount", "ledger_events"),
  };
}

/** Every object in a bucket under `prefix`, by key, with its length in bytes. */
export async function listObjects(bucket: R2Bucket, prefix: string): Promise<ReadonlyMap<string, number>> {
  const objects = new Map<string, number>();
  for (let cursor: string | undefined; ; ) {
    const page = await bucket.list({ prefix, ...(cursor === undefined ? {} : { cursor }) });
    for (const { key, size } of page.objects) objects.set(key, size);
    if (!page.truncated) return objects;
    cursor = page.cursor;
  }
}
