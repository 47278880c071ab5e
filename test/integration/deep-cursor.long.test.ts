import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { cursorOf, readUsage } from "#domains/ledger/read-usage.ts";
import { SEARCHED_EVENTS_MAX } from "#domains/ledger/store.ts";
import { execute, selectRow } from "../support/database.ts";
import { seedWorkspace } from "../support/whole-workspace.ts";

const EVENTS = SEARCHED_EVENTS_MAX + 50;

/** A cursor with a smaller number than its event has, as after a move that renumbered the event. */
async function cursorFromElsewhere(workspaceId: string, fromNewest: number): Promise<string> {
  const event = await selectRow<{
    createdAt: number;
    reference: string;
  }>`select created_at as createdAt, reference from ledger_events where workspace_id = ${workspaceId}
     order by event_id desc limit 1 offset ${fromNewest}`;
  if (event === null) throw new Error("no such event");
  return cursorOf({ ...event, eventId: 1 });
}

it("the event of a cursor is found up to the search limit; beyond it the cursor is invalid", async () => {
  const workspaceId = await seedWorkspace(env.DB, 1);
  await execute`with recursive numbers(number) as (select 1 union all select number + 1 from numbers where number < ${EVENTS})
     insert into ledger_events (workspace_id, type, amount, source, reference, description, created_at)
     select ${workspaceId}, 'consumption', 0, 'unlimited', ${workspaceId} || ':deep:' || number, 'Deep', number from numbers`;
  const read = async (fromNewest: number) =>
    readUsage(env.DB, workspaceId, 2, await cursorFromElsewhere(workspaceId, fromNewest));
  const found = await read(SEARCHED_EVENTS_MAX - 1);
  expect(found.ok && found.value.items.map(({ createdAt }) => createdAt)).toEqual([50, 49]);
  expect(await read(SEARCHED_EVENTS_MAX)).toMatchObject({ ok: false, code: "INVALID_CURSOR" });
});
