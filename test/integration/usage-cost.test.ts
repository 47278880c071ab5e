import { env } from "cloudflare:workers";
import { afterAll, expect, it, vi } from "vitest";
import { freshStorage } from "../fault/fresh-storage.ts";
import { execute } from "../support/database.ts";
import { freezeClock } from "../support/freeze-clock.ts";
import { holdQueue, packOf, postJob, workspaceWithLogo } from "../support/jobs.ts";
import { call } from "../support/workspace.ts";
import { spyOnWrites } from "../support/write-batches.ts";

// Restores the triggers that the tests drop, because later test files need them.
afterAll(freshStorage);

/** Number of rows, including index entries, that an order's batch writes. */
async function rowsWritten(secret: string, body: unknown): Promise<number> {
  const batches = spyOnWrites();
  const answer = await postJob(secret, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(202);
  const written: readonly D1Result[] = (await batches.mock.results[0]?.value) ?? [];
  const rows = written.reduce((sum, { meta }) => sum + meta.rows_written, 0);
  vi.mocked(env.DB.withSession).mockRestore();
  batches.mockRestore();
  expect(rows).toBeGreaterThan(5);
  return rows;
}

it("an order writes the row of its day, key and contract, and no other usage row", async () => {
  holdQueue();
  freezeClock();
  const client = await workspaceWithLogo({ credits: 100 });
  const made = await call("POST", "/api/v1/api-keys", {
    secret: client.secret,
    body: { name: "Agency", scopes: ["jobs:write"], budget: { daily: 50, monthly: 90 } },
  });
  const orderOf = (secret: string) => rowsWritten(secret, packOf(client));
  const spender: string = made.body.data.secret;
  for (const secret of [client.secret, spender]) await orderOf(secret);
  const [without, budgeted] = [await orderOf(client.secret), await orderOf(spender)];
  expect(budgeted).toBe(without);
  await execute`DROP TRIGGER jobs_add_usage`;
  await execute`DROP TRIGGER ledger_events_begin_month`;
  expect(without - (await orderOf(client.secret))).toBe(1);
});
