import { describe, expect, it } from "vitest";
import { pendingMigrations, SCHEMA_QUERY } from "../../scripts/deploy/pending-migrations.ts";
import { readMigrations } from "../../scripts/local/migrate.ts";
import { RemoteD1 } from "../deploy/remote-d1.ts";

/**
 * Guarantee: migration 0027 loses nothing of the packs that are there when it is applied, and what the worker of before
 * does until the new one is there harms none of the jobs that are open. Also where it broke off and is resumed.
 */

const NAME = "0027_lean_packs.sql";

const migrations = await readMigrations();
const before = migrations.filter(({ name }) => name < NAME);
const own = migrations.find(({ name }) => name === NAME)?.statements ?? [];

const rowsOf = (database: RemoteD1, sql: string): readonly unknown[] => database.query(sql)[0]?.results ?? [];

const job = (jobId: string, status: string): string =>
  `INSERT INTO jobs (job_id, workspace_id, status, contract_id, motion, output_format, selected_size_ids, asset_ids, copy, brand, render_inputs, cost_credits, render_fingerprint, artifact_id, created_at, dispatched_at) VALUES ('${jobId}', 'w', '${status}', 'display.v1', 'animated', 'gif', '["a","b"]', '{}', '{}', '{}', '{}', 1, '', 'artifact of ${jobId}', ${jobId.charCodeAt(0)}, 5);\n`;

const output = (jobId: string, position: number, status: string): string =>
  `INSERT INTO job_outputs (job_id, position, size_id, status) VALUES ('${jobId}', ${position}, 'size ${position}', '${status}');\n`;

const file = (fileId: string, position: number, animation: string): string =>
  `INSERT INTO artifact_files (file_id, artifact_id, position, size_id, role, file_name, width, height, content_type, byte_length, sha256, object_key, compliance, layout, animation) VALUES ('${fileId}', 'artifact of done', ${position}, 'a', 'primary', '${fileId}.gif', 300, 250, 'image/gif', 41877, 'hash of ${fileId}', 'key', '{"verdict":"pass"}', '{"look":"classic"}', ${animation});\n`;

/** With so many statements of the migration executed before the deployment that finishes it. */
function oldDatabase(executed: number): RemoteD1 {
  const database = new RemoteD1();
  for (const statement of before.flatMap(({ statements }) => statements)) database.import(statement);
  database.query(
    "INSERT INTO workspaces (workspace_id, name, kind, created_at) VALUES ('w', 'W', 'standard', 1);\n",
  );
  for (const [jobId, status] of [
    ["done", "succeeded"],
    ["failed", "failed"],
    ["open", "running"],
  ] as const) {
    database.query(job(jobId, status));
  }
  database.query(
    "INSERT INTO artifacts (artifact_id, job_id, workspace_id, status, engine_version, total_bytes, created_at, expires_at) VALUES ('artifact of done', 'done', 'w', 'ready', '1', 2, 1, 9);\n",
  );
  // Not in the order in which they are shown.
  database.query(file("second", 1, "NULL"));
  database.query(file("first", 0, `'{"frames":3,"durationMs":900,"loops":2}'`));
  for (const [jobId, first, second] of [
    ["done", "done", "done"],
    ["failed", "done", "failed"],
    ["open", "done", "running"],
  ] as const) {
    database.query(output(jobId, 0, first));
    database.query(output(jobId, 1, second));
  }
  for (const statement of own.slice(0, executed)) database.import(statement);
  const schema = rowsOf(database, SCHEMA_QUERY).map((row) => String(Object(row).sql));
  const applied = before.map(({ name }) => name);
  database.import(pendingMigrations(migrations, applied, schema)?.sql ?? "");
  return database;
}

const shownFile = (fileId: string) => ({
  fileId,
  sizeId: "a",
  role: "primary",
  fileName: `${fileId}.gif`,
  width: 300,
  height: 250,
  contentType: "image/gif",
  byteLength: 41_877,
  sha256: `hash of ${fileId}`,
});

/** The last of the statements that move rows, which leave no trace in the schema. */
const DATA_MOVED = own.findIndex((statement) => statement.includes("DELETE FROM `job_outputs`")) + 1;

describe.each([0, DATA_MOVED])("the migration after %i of its statements", (executed) => {
  it("puts the files of a pack and their details into its row, in their order", () => {
    const [row] = rowsOf(
      oldDatabase(executed),
      "SELECT files, file_details, manifest_sha256 FROM artifacts;",
    ) as readonly Record<string, string>[];
    expect(JSON.parse(row?.files ?? "")).toEqual([
      { ...shownFile("first"), animation: { frames: 3, durationMs: 900, loops: 2 } },
      shownFile("second"),
    ]);
    expect(JSON.parse(row?.file_details ?? "")).toEqual(
      ["first", "second"].map((fileId) => ({
        fileId,
        compliance: { verdict: "pass" },
        layout: { look: "classic" },
      })),
    );
    expect(row?.manifest_sha256).toBeNull();
  });

  it("keeps how far failed jobs came, and has the messages of open ones sent anew", () => {
    const database = oldDatabase(executed);
    expect(rowsOf(database, "SELECT job_id, part, outputs_done, files FROM job_parts;")).toEqual([
      { job_id: "failed", part: 0, outputs_done: 1, files: null },
    ]);
    expect(rowsOf(database, "SELECT job_id, dispatched_at FROM jobs ORDER BY job_id;")).toEqual([
      { job_id: "done", dispatched_at: 5 },
      { job_id: "failed", dispatched_at: 5 },
      { job_id: "open", dispatched_at: null },
    ]);
  });

  it("lets the worker of before order jobs, and end none as succeeded without a pack", () => {
    const database = oldDatabase(executed);
    database.query(output("open", 0, "queued"));
    expect(rowsOf(database, "SELECT count(*) AS count FROM job_outputs;")).toEqual([{ count: 0 }]);
    // No output is left that would not be done.
    const end =
      "UPDATE jobs SET status = 'succeeded' WHERE job_id = 'open' AND NOT EXISTS (SELECT 1 FROM job_outputs WHERE job_id = 'open' AND status <> 'done');";
    expect(() => database.query(end)).toThrow("a job succeeds with its artifact");
    expect(rowsOf(database, "SELECT count(*) AS count FROM artifact_files;")).toEqual([{ count: 0 }]);
  });
});
