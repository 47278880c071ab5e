import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { artifactsPage, edgeOfSearch } from "#domains/artifacts/list-store.ts";
import { artifactsWithFilesToDelete } from "#domains/artifacts/store.ts";
import { assetPages } from "#domains/assets/store.ts";
import { fullJobWindows, jobPages } from "#domains/jobs/store.ts";

/**
 * Each list of jobs, packs and assets uses its index, so that its cost depends on the number of listed rows. An index
 * also costs time in every write: remove an index that no statement here needs.
 */

/** SQLite's query plan, one line per step. */
async function planOf(sql: string): Promise<readonly string[]> {
  const values = sql
    .split("?")
    .slice(1)
    .map(() => null);
  const { results } = await env.DB.prepare(`EXPLAIN QUERY PLAN ${sql}`)
    .bind(...values)
    .all<{ detail: string }>();
  return results.map(({ detail }) => detail);
}

it.each([
  ["all jobs", jobPages.all.sql, "jobs_by_workspace (workspace_id=? AND created_at<?)"],
  ["test jobs", jobPages.test.sql, "jobs_test (workspace_id=? AND created_at<?)"],
  ["test packs", artifactsPage.test.sql, "jobs_test (workspace_id=? AND created_at>? AND created_at<?)"],
  ["open jobs", jobPages.ofOpenStatus.sql, "jobs_open_by_workspace (workspace_id=? AND created_at<?)"],
  ["ended jobs", jobPages.ofEndedStatus.sql, "jobs_ended (workspace_id=? AND status=? AND created_at<?)"],
  [
    "jobs with a fingerprint",
    jobPages.reusable.sql,
    "jobs_by_fingerprint (workspace_id=? AND render_fingerprint=? AND created_at<?)",
  ],
  [
    "packs",
    artifactsPage.live.sql,
    "jobs_ended (workspace_id=? AND status=? AND created_at>? AND created_at<?)",
  ],
  ["the end of a search", edgeOfSearch.live.sql, "jobs_ended (workspace_id=? AND status=? AND created_at<?)"],
  [
    "refunded jobs of an hour",
    fullJobWindows.sql,
    "jobs_ended (workspace_id=? AND status=? AND created_at>?)",
  ],
  ["assets", assetPages.all.sql, "assets_by_workspace (workspace_id=? AND created_at<?)"],
  [
    "assets of a slot",
    assetPages.ofSlot.sql,
    "assets_by_workspace_slot (workspace_id=? AND slot_id=? AND created_at<?)",
  ],
  [
    "assets with the same bytes",
    assetPages.ofBytes.sql,
    "assets_by_bytes (workspace_id=? AND sha256=? AND created_at<?)",
  ],
  ["packs with files to delete", artifactsWithFilesToDelete.sql, "artifacts_expiring (expires_at<?)"],
])("the statement for %s uses its index", async (_, sql, index) => {
  const plan = await planOf(sql);
  expect(plan.filter((step) => step.includes(`INDEX ${index}`)).length, plan.join("\n")).toBeGreaterThan(0);
  expect(plan.filter((step) => /^SCAN (?!file|json_each)/.test(step) && !step.includes("INDEX"))).toEqual([]);
});

it("the statement for the versions of a pack does not scan the workspace's jobs", async () => {
  const plan = (await planOf(jobPages.versions.sql)).join("\n");
  expect(plan).toContain("SEARCH jobs USING INDEX sqlite_autoindex_jobs_1 (job_id=?)");
  expect(plan).toMatch(/SEARCH version USING (COVERING )?INDEX jobs_versions \(version_of=\?\)/);
  expect(plan).not.toContain("jobs_by_workspace");
});
