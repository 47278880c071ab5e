import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { inRoot } from "../../scripts/local/paths.ts";
import { RemoteD1 } from "../deploy/remote-d1.ts";

/**
 * Guarantee: migration 0027 loses nothing of the packs that are there when it is applied, and what the worker of before
 * does until the new one is there harms none of the jobs that are open.
 */

const NAME = "0027_lean_packs.sql";

const migrationsBefore = (): readonly string[] =>
  readdirSync(inRoot("migrations"))
    .filter((name) => name.endsWith(".sql") && name < NAME)
    .sort();

const apply = (database: RemoteD1, name: string) =>
  database.query(readFileSync(inRoot(`migrations/${name}`), "utf8"));

const rowsOf = (database: RemoteD1, sql: string): readonly unknown[] => database.query(sql)[0]?.results ?? [];

const job = (jobId: string, status: string): string =>
  `INSERT INTO jobs (job_id, workspace_id, status, contract_id, motion, output_format, selected_size_ids, asset_ids, copy, brand, render_inputs, cost_credits, render_fingerprint, artifact_id, created_at, dispatched_at) VALUES ('${jobId}', 'w', '${status}', 'display.v1', 'animated', 'gif', '["a","b"]', '{}', '{}', '{}', '{}', 1, '', 'artifact of ${jobId}', ${jobId.charCodeAt(0)}, 5);\n`;

const output = (jobId: string, position: number, status: string): string =>
  `INSERT INTO job_outputs (job_id, position, size_id, status) VALUES ('${jobId}', ${position}, 'size ${position}', '${status}');\n`;

const file = (fileId: string, position: number, animation: string): string =>
  `INSERT INTO artifact_files (file_id, artifact_id, position, size_id, role, file_name, width, height, content_type, byte_length, sha256, object_key, compliance, layout, animation) VALUES ('${fileId}', 'artifact of done', ${position}, 'a', 'primary', '${fileId}.gif', 300, 250, 'image/gif', 41877, 'hash of ${fileId}', 'key', '{"verdict":"pass"}', '{"look":"classic"}', ${animation});\n`;

function oldDatabase(): RemoteD1 {
  const database = new RemoteD1();
  for (const name of migrationsBefore()) apply(database, name);
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
  apply(database, NAME);
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

it("puts the files of a pack and their details into its row, in their order", () => {
  const [row] = rowsOf(
    oldDatabase(),
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
  const database = oldDatabase();
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
  const database = oldDatabase();
  database.query(output("open", 0, "queued"));
  expect(rowsOf(database, "SELECT count(*) AS count FROM job_outputs;")).toEqual([{ count: 0 }]);
  // No output is left that would not be done.
  const end =
    "UPDATE jobs SET status = 'succeeded' WHERE job_id = 'open' AND NOT EXISTS (SELECT 1 FROM job_outputs WHERE job_id = 'open' AND status <> 'done');";
  expect(() => database.query(end)).toThrow("a job succeeds with its artifact");
  expect(rowsOf(database, "SELECT count(*) AS count FROM artifact_files;")).toEqual([{ count: 0 }]);
});
