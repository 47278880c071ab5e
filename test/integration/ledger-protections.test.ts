import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { insertCreditEvent } from "#domains/ledger/store.ts";
import { newId } from "#platform/ids.ts";
import { execute, selectRows } from "../support/database.ts";
import { paidJobId, readEvents, readStored, spend } from "../support/ledger.ts";
import { createWorkspace } from "../support/workspace.ts";

const insertEvent = (workspaceId: string, amount: number, balanceAfter: number | null, source = "credits") =>
  env.DB.prepare(
    `INSERT INTO ledger_events
       (workspace_id, type, amount, source, balance_after, reference, description, created_at)
     VALUES (?1, 'adjustment', ?2, ?3, ?4, ?5, 'By hand', 1)`,
  ).bind(workspaceId, amount, source, balanceAfter, `test:${newId()}`);

it.each([
  ["updated", "UPDATE ledger_events SET amount = 9 WHERE workspace_id = ?1"],
  ["deleted", "DELETE FROM ledger_events WHERE workspace_id = ?1"],
])("an event is never %s", async (done, sql) => {
  const { workspaceId } = await createWorkspace({ credits: 3 });
  const change = env.DB.prepare(sql).bind(workspaceId).run();
  await expect(change).rejects.toThrow(`ledger events are never ${done}`);
  expect((await readEvents(workspaceId)).map(({ amount }) => amount)).toEqual([3]);
});

it.each([
  ["event_id", (id: number) => id, () => "test:another"],
  ["reference", () => null, (reference: string) => reference],
])("an event cannot be replaced by a row with the same %s", async (_, idOf, referenceOf) => {
  const { workspaceId } = await createWorkspace({ credits: 3 });
  const [event] = await selectRows<{ event_id: number; reference: string }>`SELECT *
      FROM ledger_events WHERE workspace_id = ${workspaceId}`;
  if (event === undefined) throw new Error("no event");
  const replacement = env.DB.prepare(
    `INSERT OR REPLACE INTO ledger_events
         (event_id, workspace_id, type, amount, source, balance_after, reference, description, created_at)
       VALUES (?1, ?2, 'grant', 90, 'credits', 93, ?3, 'By hand', 1)`,
  );
  await expect(
    replacement.bind(idOf(event.event_id), workspaceId, referenceOf(event.reference)).run(),
  ).rejects.toThrow("ledger events are never replaced");
  expect((await readEvents(workspaceId)).map(({ amount }) => amount)).toEqual([3]);
  expect((await readStored(workspaceId)).credits).toBe(3);
});

it.each([4, 6, null])(
  "an event of 2 credits after a balance of 3 is refused if its stated result is %s",
  async (balanceAfter) => {
    const { workspaceId } = await createWorkspace({ credits: 3 });
    await expect(insertEvent(workspaceId, 2, balanceAfter).run()).rejects.toThrow(
      "ledger event misstates its balance",
    );
    expect((await readStored(workspaceId)).credits).toBe(3);
  },
);

it("an overdraft makes its whole batch fail", async () => {
  const { workspaceId } = await createWorkspace({ credits: 3 });
  const good = insertCreditEvent.bind(env.DB, {
    workspaceId,
    type: "grant",
    amount: 1,
    reference: `test:${newId()}`,
    description: "Good",
    nowMs: 1,
  });
  await expect(env.DB.batch([good, insertEvent(workspaceId, -5, -1)])).rejects.toThrow(
    "credits_never_negative",
  );
  expect((await readStored(workspaceId)).credits).toBe(3);
  expect(await readEvents(workspaceId)).toHaveLength(1);
});

it.each([
  ["more", "UPDATE workspaces SET credits = credits + 5 WHERE workspace_id = ?1"],
  ["less", "UPDATE workspaces SET credits = 0 WHERE workspace_id = ?1"],
  ["the result of an earlier event", "UPDATE workspaces SET credits = 3 WHERE workspace_id = ?1"],
  [
    "zero, by a replacement of the row",
    "REPLACE INTO workspaces (workspace_id, name, kind, created_at) VALUES (?1, 'Again', 'standard', 1)",
  ],
])("a balance cannot be written directly: %s", async (_, sql) => {
  const { workspaceId } = await createWorkspace({ credits: 3 });
  await paidJobId(spend(workspaceId, 1));
  await expect(env.DB.prepare(sql).bind(workspaceId).run()).rejects.toThrow(
    /credits move by ledger events only|begins once/,
  );
  expect((await readStored(workspaceId)).credits).toBe(2);
});

it("a workspace cannot be created with credits but without an event", async () => {
  const begin = execute`INSERT INTO workspaces (workspace_id, name, kind, credits, created_at)
      VALUES (${newId()}, 'Rich', 'standard', 9, 1)`;
  await expect(begin).rejects.toThrow("begins once and without credits");
});

it("a write that leaves a workspace's balance unchanged is accepted", async () => {
  const { workspaceId } = await createWorkspace({ credits: 3 });
  const renamed = await execute`UPDATE workspaces SET name = 'Renamed', credits = credits
      WHERE workspace_id = ${workspaceId}`;
  expect(renamed.meta.changes).toBe(1);
});

it("a second consumption of the same job is refused", async () => {
  const { workspaceId } = await createWorkspace({ credits: 3 });
  const jobId = await paidJobId(spend(workspaceId, 1));
  const again = execute`INSERT INTO ledger_events
        (workspace_id, type, amount, source, balance_after, job_id, reference, description, created_at)
      VALUES (${workspaceId}, 'consumption', -1, 'credits', 1, ${jobId}, ${`job:${jobId}:consumption`}, 'Again', 1)`;
  await expect(again).rejects.toThrow("ledger events are never replaced");
  expect((await readStored(workspaceId)).credits).toBe(2);
});

it("a fraction of a credit cannot be written", async () => {
  const { workspaceId } = await createWorkspace({ credits: 3 });
  await expect(insertEvent(workspaceId, 0.5, 3.5).run()).rejects.toThrow();
  expect((await readStored(workspaceId)).credits).toBe(3);
});
