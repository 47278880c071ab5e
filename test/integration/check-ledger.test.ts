import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { checkLedger } from "#domains/ledger/check-ledger.ts";
import { heldJob } from "../support/held-jobs.ts";
import { cancel, deliver } from "../support/jobs.ts";
import { createWorkspace } from "../support/workspace.ts";

/** Each check runs with several page sizes, all of which must find the same faults. */

const PAGES = [1, 2, 3, 2_000];
/** Only faults of these workspaces, because other tests leave damaged rows. */
async function faultsOf(...workspaceIds: readonly string[]) {
  const found = await Promise.all(PAGES.map((limit) => checkLedger(env.DB, limit)));
  for (const one of found) expect(one).toEqual(found[0]);
  return (found[0] ?? []).filter(({ workspaceId }) => workspaceIds.includes(workspaceId));
}
const run = (...statements: readonly string[]) => env.DB.batch(statements.map((sql) => env.DB.prepare(sql)));
/** Changes rows without the triggers that would reject the change. */
const past = (id: string, ...statements: readonly string[]) =>
  run(`INSERT INTO workspace_copies VALUES ('${id}')`, ...statements, "DELETE FROM workspace_copies");

it("a check finds nothing in a correct ledger with succeeded, failed, canceled and open jobs", async () => {
  const { client, jobId } = await heldJob({}, { credits: 9 });
  const canceled = await heldJob();
  await cancel(canceled.client.secret, canceled.jobId);
  await deliver({ jobId, part: 0 });
  const open = await heldJob();
  const ids = [client, canceled.client, open.client].map(({ workspaceId }) => workspaceId);
  expect(await faultsOf(...ids)).toEqual([]);
});

it("a check finds a balance that differs from the sum of its events, except in workspaces that live in another database", async () => {
  const [{ workspaceId: first }, { workspaceId: second }] = [
    await createWorkspace({ credits: 5 }),
    await createWorkspace({}),
  ];
  const { workspaceId: left } = await createWorkspace({ credits: 5 });
  await past(left, `UPDATE workspaces SET home = '00', credits = 0 WHERE workspace_id = '${left}'`);
  await past(first, `UPDATE workspaces SET credits = 6 WHERE workspace_id = '${first}'`);
  await past(second, `UPDATE workspaces SET credits = 3 WHERE workspace_id = '${second}'`);
  const found = await faultsOf(first, second, left);
  expect(found.map(({ kind, workspaceId }) => [kind, workspaceId]).toSorted()).toEqual(
    [first, second].map((id) => ["balance", id]).toSorted(),
  );
  for (const id of [first, second, left]) {
    await past(
      id,
      `UPDATE workspaces SET home = NULL, credits = (SELECT COALESCE(SUM(amount), 0)
      FROM ledger_events e WHERE e.workspace_id = '${id}' AND source = 'credits') WHERE workspace_id = '${id}'`,
    );
  }
});

it("a check finds a failed job without a refund", async () => {
  const { client, jobId } = await heldJob();
  const { workspaceId } = client;
  await past(workspaceId, `UPDATE jobs SET status = 'failed', finished_at = 1 WHERE job_id = '${jobId}'`);
  expect(await faultsOf(workspaceId)).toEqual([{ kind: "job", workspaceId, jobId }]);
});
