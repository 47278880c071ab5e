import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, expect, it, vi } from "vitest";
import { listDeliveries } from "#domains/deliveries/manage-delivery.ts";
import { readUsage } from "#domains/ledger/read-usage.ts";
import { acceptedValue } from "#interface/http/envelope.ts";
import { clock } from "#platform/clock.ts";
import type { Home } from "#platform/databases/shard-name.ts";
import { moveTo } from "../support/moves.ts";
import { shardDatabase, shardedDatabases, withShards } from "../support/shards.ts";
import { seedWorkspace } from "../support/whole-workspace.ts";

/**
 * Paging shows every item once, even if the workspace moves between pages to a database that numbers its rows differently.
 */

beforeAll(withShards);

const ROWS = 5;
const databases = shardedDatabases();
let nowMs = Date.parse("2030-01-01T00:00:00.000Z");

beforeEach(() => {
  vi.spyOn(clock, "now").mockImplementation(() => nowMs);
});

const move = (workspaceId: string, target: Home): Promise<void> =>
  moveTo(databases, workspaceId, target, (ms) => {
    nowMs += ms;
  });

interface ListedPage {
  readonly names: readonly string[];
  readonly nextBefore: string | null;
}

type ReadPage = (db: D1Database, workspaceId: string, before: string | undefined) => Promise<ListedPage>;

const LISTS: Readonly<Record<string, ReadPage>> = {
  "ledger events": async (db, workspaceId, before) => {
    const { items, nextBefore } = acceptedValue(await readUsage(db, workspaceId, 2, before));
    if (nextBefore !== null) expect(nextBefore).toMatch(/^[0-9]+$/);
    return { names: items.map(({ createdAt, amount }) => `${createdAt}:${amount}`), nextBefore };
  },
  deliveries: async (db, workspaceId, before) => {
    const filter = { status: null, before: before ?? null };
    const { items, nextBefore } = acceptedValue(await listDeliveries(db, workspaceId, filter, 2));
    return { names: items.map(({ deliveryId }) => deliveryId), nextBefore };
  },
};

it.for(Object.entries(LISTS))("%s are listed once despite a move after each page", async ([, readPage]) => {
  // Other workspaces already use the same numbers, so that moved rows get larger numbers.
  const workspaceId = await seedWorkspace(env.DB, ROWS);
  for (const shard of ["02", "03"] as const) await seedWorkspace(shardDatabase(shard), ROWS * 3);
  const whole: string[] = [];
  const walk = async (names: string[], betweenPages: () => Promise<D1Database>) => {
    let db: D1Database = await betweenPages();
    for (let before: string | null | undefined; before !== null; db = await betweenPages()) {
      const page = await readPage(db, workspaceId, before);
      names.push(...page.names);
      before = page.nextBefore;
    }
  };
  await walk(whole, async () => env.DB);
  expect(whole).toHaveLength(ROWS);
  const seen: string[] = [];
  const stays = [env.DB, shardDatabase("02"), shardDatabase("03"), env.DB, shardDatabase("02")];
  const homes = ["DB", "02", "03", "DB", "02"] as const;
  let pages = 0;
  await walk(seen, async () => {
    const at = pages % homes.length;
    if (pages > 0) await move(workspaceId, homes[at] ?? "DB");
    pages += 1;
    return stays[at] ?? env.DB;
  });
  expect(seen).toEqual(whole);
});

it("API §12.11 a cursor of a deleted delivery works, and after a move is 400 INVALID_CURSOR instead of skipping the rest", async () => {
  const workspaceId = await seedWorkspace(env.DB, ROWS);
  for (const shard of ["02", "03"] as const) await seedWorkspace(shardDatabase(shard), ROWS * 3);
  const list = (db: D1Database, before: string | null) =>
    listDeliveries(db, workspaceId, { status: null, before }, 2);
  const first = acceptedValue(await list(env.DB, null));
  const rest = acceptedValue(await list(env.DB, first.nextBefore));
  const last = first.items.at(-1)?.deliveryId ?? "";
  await env.DB.prepare("DELETE FROM delivery_files WHERE delivery_id = ?1").bind(last).run();
  await env.DB.prepare("DELETE FROM deliveries WHERE delivery_id = ?1").bind(last).run();
  expect(acceptedValue(await list(env.DB, first.nextBefore))).toEqual(rest);
  await move(workspaceId, "02");
  expect(await list(shardDatabase("02"), first.nextBefore)).toMatchObject({ code: "INVALID_CURSOR" });
});
