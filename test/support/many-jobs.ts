import { env } from "cloudflare:workers";

/** SQL for the id of a copy: the original's id with its first eight digits replaced by the copy's number. */
const copiedId = (column: string): string => `printf('%08x', n) || substr(original.${column}, 9)`;

/** Columns in which copies differ: each was created a moment after the previous one, and waits for a slot. */
const COPY: Readonly<Record<string, string>> = {
  job_id: copiedId("job_id"),
  artifact_id: copiedId("artifact_id"),
  status: "'queued'",
  created_at: "original.created_at + n",
  started_at: "NULL",
  finished_at: "NULL",
  dispatched_at: "NULL",
  is_waiting: "1",
};

/** Adds `count` waiting copies of a job to its workspace, without payment. */
export async function addWaitingJobs(jobId: string, count: number): Promise<void> {
  const { results } = await env.DB.prepare("SELECT name FROM pragma_table_info('jobs')").all<{
    name: string;
  }>();
  const columns = results.map(({ name }) => name);
  const values = columns.map((name) => COPY[name] ?? `original.${name}`);
  await env.DB.prepare(
    `WITH RECURSIVE copies (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM copies WHERE n < ?2)
     INSERT INTO jobs (${columns.join(", ")})
     SELECT ${values.join(", ")} FROM copies JOIN jobs AS original ON original.job_id = ?1`,
  )
    .bind(jobId, count)
    .run();
}
