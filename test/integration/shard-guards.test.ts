import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { isMovingError } from "#platform/db/batch-guard.ts";
import { execute, selectRow, selectRows } from "../support/database.ts";
import { createWorkspace } from "../support/workspace.ts";

/** These guards are triggers in the database, so that a batch decided before a move cannot pass during it. */

/** Tables that contain no rows of a workspace, are in the directory, or are written only by triggers. */
const UNGUARDED = new Set([
  ...[
    "workspaces",
    "workspace_copies",
    "workspace_changes",
    "workspace_moves",
    "workspace_members",
    "workspace_invitations",
    "trial_claims",
  ],
  ...["accounts", "account_credentials", "account_sessions", "account_events", "account_devices"],
  ...["account_verifications", "billing_events", "mail_messages", "mail_suppressions", "batch_guards"],
  ...["usage_days", "ledger_months", "shard_states", "workspace_objects"],
  ...["alert_changes", "database_figures", "dead_letters", "member_events"],
]);

const EVENTS = ["INSERT", "UPDATE", "DELETE"];

/** Ledger events are never updated or deleted, audit events never updated. */
const eventsOf = (table: string): readonly string[] =>
  table === "ledger_events" ? ["INSERT"] : table === "audit_events" ? ["INSERT", "DELETE"] : EVENTS;

const thrownBy = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (thrown: unknown) => thrown,
  );

const insertKey = (workspaceId: string, id: string) =>
  execute`insert into api_keys (api_key_id, workspace_id, name, prefix, secret_hash, scopes, created_at)
    values (${id}, ${workspaceId}, 'k', 'p', ${id}, '[]', 1)`;

const addCredit = (workspaceId: string) =>
  execute`insert into ledger_events (workspace_id, type, amount, source, balance_after, reference, description, created_at)
    select ${workspaceId}, 'grant', 1, 'credits', credits + 1, ${crypto.randomUUID()}, '', 1
    from workspaces where workspace_id = ${workspaceId}`;

it("every table with rows of a workspace has guards against writes during a move, even if a later migration recreates it", async () => {
  const tables = await selectRows<{ name: string }>`select name from sqlite_master where type = 'table'
      and name not like 'sqlite_%' and name not like '\\_cf_%' escape '\\' and name <> 'd1_migrations'`;
  const triggers = await selectRows<{ name: string; table: string; sql: string }>`
      select name, tbl_name as "table", sql from sqlite_master where type = 'trigger'`;
  for (const { name } of tables) {
    if (UNGUARDED.has(name)) continue;
    const guarded = EVENTS.filter((event) =>
      triggers.some(
        ({ table, sql }) =>
          table === name && sql.includes(`BEFORE ${event} ON`) && sql.includes("'the workspace is moving'"),
      ),
    );
    expect({ name, guarded }).toEqual({ name, guarded: eventsOf(name) });
  }
});

it("in a copying batch no trigger acts, except those that protect ledger and directory", async () => {
  const triggers = await selectRows<{ name: string; sql: string }>`
      select name, sql from sqlite_master where type = 'trigger'`;
  const acting = triggers.filter(({ sql }) => !sql.includes("FROM workspace_copies")).map(({ name }) => name);
  expect(acting.sort()).toEqual([
    ...["accounts_change_counted", "ledger_events_never_replaced", "ledger_events_never_updated"],
    "member_events_never_changed",
    ...["workspace_members_delete_counted", "workspace_members_insert_counted"],
    "workspace_members_update_counted",
  ]);
});

it.each(["moving", "moved"])("rows of a %s workspace cannot be written, nor jobs charged", async (state) => {
  const { workspaceId, apiKeyId } = await createWorkspace({ credits: 5 });
  const home = state === "moved" ? "03" : null;
  await execute`update workspaces set home = ${home}, moving_since = ${home === null ? 1 : null}
      where workspace_id = ${workspaceId}`;
  for (const write of [
    insertKey(workspaceId, crypto.randomUUID()),
    addCredit(workspaceId),
    execute`update api_keys set name = 'x' where api_key_id = ${apiKeyId}`,
    execute`update workspaces set suspended_at = 1 where workspace_id = ${workspaceId}`,
  ]) {
    expect(isMovingError(await thrownBy(write))).toBe(true);
  }
  expect(await selectRow`select credits from workspaces where workspace_id = ${workspaceId}`).toEqual({
    credits: 5,
  });
});

it("rows can be deleted once their workspace has moved, but not while it moves", async () => {
  const { workspaceId, apiKeyId } = await createWorkspace();
  const remove = () => execute`delete from api_keys where api_key_id = ${apiKeyId}`;
  await execute`update workspaces set moving_since = 1 where workspace_id = ${workspaceId}`;
  expect(isMovingError(await thrownBy(remove()))).toBe(true);
  await execute`update workspaces set moving_since = null, home = '03' where workspace_id = ${workspaceId}`;
  await remove();
  expect(await selectRows`select 1 from api_keys where api_key_id = ${apiKeyId}`).toEqual([]);
});

it("a copying batch copies rows unchanged, moves no money, and leaves no trace", async () => {
  const { workspaceId } = await createWorkspace({ credits: 5 });
  await execute`update workspaces set moving_since = 1 where workspace_id = ${workspaceId}`;
  await env.DB.batch([
    env.DB.prepare("insert into workspace_copies values (?1)").bind(workspaceId),
    env.DB.prepare(
      `insert into ledger_events (workspace_id, type, amount, source, balance_after, reference, description, created_at)
         values (?1, 'grant', 7, 'credits', 7, ?2, '', 1)`,
    ).bind(workspaceId, crypto.randomUUID()),
    env.DB.prepare("delete from workspace_copies where workspace_id = ?1").bind(workspaceId),
  ]);
  expect(await selectRow`select credits from workspaces where workspace_id = ${workspaceId}`).toEqual({
    credits: 5,
  });
  expect(await selectRows`select * from workspace_copies`).toEqual([]);
  expect(isMovingError(await thrownBy(addCredit(workspaceId)))).toBe(true);
});
