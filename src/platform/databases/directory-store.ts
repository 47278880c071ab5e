import { asc, eq, gt, sql } from "drizzle-orm";
import { payments, shardStates, shares, workspaceObjects, workspaces } from "../db/schema/index.ts";
import { type Given, query, statement } from "../db/statement.ts";
import { pick } from "../pick-members.ts";
import { waitingIdsOf } from "./billing-events.ts";

/** SQL of the directory's records of shards and objects. Lists of ids are JSON. */

export const allShardStates = statement(() =>
  query.from(shardStates, "home", "bytes", "measuredAt", "listedUpTo"),
);

export const saveShardState = statement(
  (given: Given<{ home: string; bytes: number; measuredAt: number; listedUpTo: string | null }>) =>
    sql`insert or replace into ${shardStates} (home, bytes, measured_at, listed_up_to)
      values (${given.home}, ${given.bytes}, ${given.measuredAt}, ${given.listedUpTo})`,
);

/** In the directory: finds a workspace by its id or by one of its objects. `home` is null for `DB`. */
export const workspaceOfObject = statement(
  (given: Given<{ workspaceId: string | null; objectIds: string }>) =>
    query
      .from(workspaces, "workspaceId", "home")
      .where(
        sql`${workspaces.workspaceId} = ${given.workspaceId} or ${workspaces.workspaceId} in
        (select ${workspaceObjects.workspaceId} from ${workspaceObjects}
          where ${workspaceObjects.objectId} in (select value from json_each(${given.objectIds})))`,
      )
      .limit(1),
);

/** In the directory: records objects of a workspace. */
export const insertObjects = statement(
  (given: Given<{ workspaceId: string; objectIds: string }>) =>
    sql`insert or ignore into ${workspaceObjects} (object_id, workspace_id)
      select value, ${given.workspaceId} from json_each(${given.objectIds})`,
);

/** In a workspace's database: sorted ids of its payments, invoices and share links, for the directory. */
export const objectsPage = statement((given: Given<{ workspaceId: string; from: string; limit: number }>) => {
  const ids = sql`select ${payments.paymentId} as id from ${payments} where ${payments.workspaceId} = ${given.workspaceId}
    union all select ${payments.intentId} from ${payments} where ${payments.workspaceId} = ${given.workspaceId}
    union all select ${shares.shareId} from ${shares} where ${shares.workspaceId} = ${given.workspaceId}
    union all select * from (${waitingIdsOf(sql`${given.workspaceId}`)})`;
  return query
    .select({ objectId: sql<string>`found.id` })
    .from(sql`(${ids}) as found`)
    .where(sql`found.id > ${given.from}`)
    .orderBy(sql`found.id`)
    .limit(given.limit);
});

/** A database's workspaces, ordered by id. */
export const workspacesAfter = statement((given: Given<{ after: string; limit: number }>) =>
  query
    .from(workspaces, "workspaceId")
    .where(gt(workspaces.workspaceId, given.after))
    .orderBy(asc(workspaces.workspaceId))
    .limit(given.limit),
);

/** The workspace of a share link in this database. `home` is null if the workspace lives in this database. */
export const homeOfShare = statement((given: Given<{ shareId: string }>) =>
  query
    .read(shares, pick(workspaces, "workspaceId", "home"))
    .innerJoin(workspaces, eq(workspaces.workspaceId, shares.workspaceId))
    .where(eq(shares.shareId, given.shareId)),
);
