import { and, desc, eq, isNull, type SQL, sql } from "drizzle-orm";
import { DELIVERY_LIMITS, type WebhookEvent } from "#api/delivery-rules.ts";
import { auditWhere } from "#domains/audit/audit-store.ts";
import { isNotMoving } from "#platform/db/batch-guard.ts";
import {
  accounts,
  deliveries,
  destinations,
  type S3Settings,
  type WebhookSettings,
  workspaceMembers,
} from "#platform/db/schema/index.ts";
import { type Given, query, type RowOf, statement } from "#platform/db/statement.ts";
import { pick } from "#platform/pick-members.ts";
import { dead } from "./delivery-store.ts";

/** Prefix of `createdBy` for a destination created with an API key; the key's id follows. */
export const KEY_CREATOR = "key:";

const selectDestinations = () =>
  query
    .read(destinations, {
      ...pick(destinations, "destinationId", "workspaceId", "kind", "settings"),
      ...pick(destinations, "sealed", "events", "lowBalanceBelow", "disabledCode"),
      createdAtMs: destinations.createdAt,
      /** Null when unknown. The role is null after the creator left the workspace. */
      createdBy: {
        accountId: accounts.accountId,
        name: accounts.name,
        role: sql<"owner" | "member" | null>`${workspaceMembers.role}`,
      },
      createdByKeyId: sql<
        string | null
      >`iif(${destinations.createdBy} like ${`${KEY_CREATOR}%`}, substr(${destinations.createdBy}, ${KEY_CREATOR.length + 1}), null)`,
      disabledAtMs: destinations.disabledAt,
      missedAtMs: destinations.missedAt,
    })
    .leftJoin(accounts, eq(accounts.accountId, destinations.createdBy))
    .leftJoin(
      workspaceMembers,
      and(
        eq(workspaceMembers.accountId, accounts.accountId),
        eq(workspaceMembers.workspaceId, destinations.workspaceId),
      ),
    );

type DestinationId = { readonly workspaceId: string; readonly destinationId: string };

const isDestination = (given: Given<DestinationId>) =>
  sql`${destinations.workspaceId} = ${given.workspaceId} and ${destinations.destinationId} = ${given.destinationId}`;

const isCurrent = (given: Given<DestinationId>) =>
  sql`${isDestination(given)} and ${destinations.deletedAt} is null`;

/** The workspace's destination, even if deleted, because its deliveries refer to it. */
export const destinationById = statement((given: Given<DestinationId>) =>
  selectDestinations().where(isDestination(given)),
);

export type Destination = RowOf<typeof destinationById>;

export const destinationByIdentity = statement((given: Given<{ workspaceId: string; identity: string }>) =>
  selectDestinations().where(
    sql`${destinations.workspaceId} = ${given.workspaceId} and ${destinations.identity} = ${given.identity}
      and ${destinations.deletedAt} is null`,
  ),
);

/** All destinations of the workspace, newest first. There are few; see api/delivery-rules.ts. */
export const destinationsOfWorkspace = statement((given: Given<{ workspaceId: string }>) =>
  selectDestinations()
    .where(and(eq(destinations.workspaceId, given.workspaceId), isNull(destinations.deletedAt)))
    .orderBy(desc(destinations.createdAt)),
);

/** An audit event of a destination that exists and is not deleted. */
const auditDestinationWhere = <More>(condition: (given: Given<More>) => SQL) =>
  auditWhere<More>(
    (
      given,
    ) => sql`exists (select 1 from ${destinations} where ${destinations.workspaceId} = ${given.workspaceId}
      and ${destinations.destinationId} = ${given.subjectId} and ${destinations.deletedAt} is null
      and ${condition(given)})`,
  );
export const auditDestination = auditDestinationWhere(() => sql`1`);

/**
 * Audit events. In the batch, `auditSecret` follows the write of the secrets; the other two precede the change that
 * they record.
 */
export const auditSecret = auditDestinationWhere<{ sealed: string }>(
  (given) => sql`${destinations.sealed} = ${given.sealed}`,
);
export const auditChange = auditDestinationWhere<{
  events: readonly WebhookEvent[];
  lowBalanceBelow: number | null;
}>(
  (given) =>
    sql`(${destinations.events} <> ${sql.param(given.events, destinations.events)}
      or ${destinations.lowBalanceBelow} is not ${given.lowBalanceBelow})`,
);
export const auditEnabling = auditDestinationWhere<{ isOwner: boolean }>(
  (given) =>
    sql`${destinations.disabledAt} is not null
      and (${given.isOwner} or ${destinations.disabledCode} is not 'CREATOR_REMOVED')`,
);

type NewDestination = Required<
  Pick<
    typeof destinations.$inferInsert,
    "kind" | "identity" | "settings" | "sealed" | "events" | "lowBalanceBelow" | "createdBy"
  >
>;

/**
 * Inserts a destination unless the workspace has one with that identity, is at its limit of destinations, or is at its
 * limit of rows, which include deleted destinations.
 */
export const insertDestination = statement(
  (given: Given<DestinationId & NewDestination & { nowMs: number }>) => {
    const ofWorkspace = eq(destinations.workspaceId, given.workspaceId);
    const current = and(ofWorkspace, isNull(destinations.deletedAt));
    return query.insert(destinations).selecting(
      {
        ...pick(given, "destinationId", "workspaceId", "kind", "identity", "settings"),
        ...pick(given, "sealed", "events", "lowBalanceBelow", "createdBy"),
        createdAt: sql`max(${given.nowMs},
        coalesce((select max(${destinations.createdAt}) + 1 from ${destinations} where ${ofWorkspace}), 0))`,
      },
      sql`where (select count(*) from ${destinations} where ${current})
          < ${DELIVERY_LIMITS.destinationsPerWorkspaceMax}
        and (select count(*) from ${destinations} where ${ofWorkspace})
          < ${DELIVERY_LIMITS.destinationRowsPerWorkspaceMax}
        and not exists (select 1 from ${destinations}
          where ${current} and ${destinations.identity} = ${given.identity})`,
    );
  },
);

export const updateEvents = statement(
  (given: Given<DestinationId & { events: readonly WebhookEvent[]; lowBalanceBelow: number | null }>) =>
    query
      .update(destinations)
      .set({ events: given.events, lowBalanceBelow: given.lowBalanceBelow })
      .where(isCurrent(given)),
);

/** Replaces secrets and settings if the secrets are unchanged since they were read. */
export const replaceSecrets = statement(
  (
    given: Given<
      DestinationId & {
        readSealed: string | null;
        sealed: string;
        settings: WebhookSettings | S3Settings;
      }
    >,
  ) =>
    query
      .update(destinations)
      .set({ sealed: given.sealed, settings: given.settings })
      .where(sql`${isCurrent(given)} and ${destinations.sealed} = ${given.readSealed}`),
);

/** Replaces secrets unconditionally. */
export const overwriteSecrets = statement((given: Given<DestinationId & { sealed: string }>) =>
  query.update(destinations).set({ sealed: given.sealed }).where(isCurrent(given)),
);

/** Secrets encrypted with the key that has this prefix. */
export const secretsUnderKey = statement((given: Given<{ keyPrefix: string; limit: number }>) =>
  query
    .read(destinations, {
      destinationId: destinations.destinationId,
      workspaceId: destinations.workspaceId,
      sealed: sql<string>`${destinations.sealed}`,
    })
    .where(
      sql`${destinations.sealed} is not null and ${isNotMoving(destinations.workspaceId)}
        and substr(${destinations.sealed}, 1, length(${given.keyPrefix})) = ${given.keyPrefix}`,
    )
    .limit(given.limit),
);

/** Replaces secrets if they are unchanged since they were read. */
export const reencryptSecrets = statement(
  (given: Given<{ destinationId: string; readSealed: string; sealed: string }>) =>
    query
      .update(destinations)
      .set({ sealed: given.sealed })
      .where(
        sql`${destinations.destinationId} = ${given.destinationId} and ${destinations.sealed} = ${given.readSealed}`,
      ),
);

/** Stores which checksums a store refuses. Of two concurrent writes, the later one wins. */
export const updateRefusedChecksums = statement((given: Given<{ destinationId: string; refused: string }>) =>
  query
    .update(destinations)
    .set({
      settings: sql`json_set(${destinations.settings}, '$.refusedChecksums', json(${given.refused}))`,
    })
    .where(eq(destinations.destinationId, given.destinationId)),
);

/**
 * Enables a destination. Only an owner may enable a paused one; if its creator is unknown, the owner is recorded as
 * creator.
 */
export const enable = statement((given: Given<DestinationId & { createdBy: string; isOwner: boolean }>) =>
  query
    .update(destinations)
    .set({
      disabledAt: null,
      disabledCode: null,
      createdBy: sql`iif(${destinations.disabledCode} = 'CREATOR_REMOVED',
        coalesce(${destinations.createdBy}, ${given.createdBy}), ${destinations.createdBy})`,
    })
    .where(
      sql`${isCurrent(given)} and (${given.isOwner} or ${destinations.disabledCode} is not 'CREATOR_REMOVED')`,
    ),
);

/** Disables a destination whose receiver answered 410. */
export const disableGone = statement((given: Given<{ destinationId: string; nowMs: number }>) =>
  query
    .update(destinations)
    .set({ disabledAt: given.nowMs, disabledCode: "RECEIVER_GONE" })
    .where(and(eq(destinations.destinationId, given.destinationId), isNull(destinations.disabledAt))),
);

type RemovedMember = { readonly workspaceId: string; readonly accountId: string; readonly nowMs: number };

/**
 * Destinations that the member created, or whose creator is unknown, since it may be the member. Excludes an owner, who
 * cannot be removed.
 */
const isCreatedBy = (given: Given<RemovedMember>) =>
  sql`${destinations.workspaceId} = ${given.workspaceId} and ${destinations.deletedAt} is null
    and (${destinations.createdBy} = ${given.accountId} or ${destinations.createdBy} is null)
    and exists (select 1 from ${workspaceMembers} where ${workspaceMembers.workspaceId} = ${given.workspaceId}
      and ${workspaceMembers.accountId} = ${given.accountId} and ${workspaceMembers.role} = 'member')`;

const pauseCreatedBy = statement((given: Given<RemovedMember>) =>
  query
    .update(destinations)
    .set({
      disabledAt: sql`coalesce(${destinations.disabledAt}, ${given.nowMs})`,
      disabledCode: "CREATOR_REMOVED",
    })
    .where(isCreatedBy(given)),
);

/** Columns of a dead delivery whose destination no longer accepts deliveries. A running attempt loses its lease. */
const unavailable = (given: Given<{ nowMs: number }>, failureMessage: string) => ({
  ...dead(given),
  failureCode: "DESTINATION_UNAVAILABLE" as const,
  failureMessage,
  receiverStatus: null,
});

const openOfWorkspace = (given: Given<{ workspaceId: string }>) =>
  sql`${deliveries.workspaceId} = ${given.workspaceId} and ${deliveries.status} in ('queued', 'running', 'retrying')`;

const endDeliveriesToCreatedBy = statement((given: Given<RemovedMember>) =>
  query
    .update(deliveries)
    .set(unavailable(given, "The member who made the destination is no longer in the workspace."))
    .where(
      sql`${openOfWorkspace(given)} and ${deliveries.destinationId} in (
        select ${destinations.destinationId} from ${destinations} where ${isCreatedBy(given)})`,
    ),
);

/**
 * Pauses a member's destinations and ends their open deliveries. Must precede the statement that removes the member, in
 * the same batch.
 */
export const pauseDestinationStatements = (
  db: D1Database,
  workspaceId: string,
  accountId: string,
  nowMs: number,
): readonly D1PreparedStatement[] => {
  const removed = { workspaceId, accountId, nowMs };
  return [pauseCreatedBy.bind(db, removed), endDeliveriesToCreatedBy.bind(db, removed)];
};

const markDeleted = statement((given: Given<DestinationId & { nowMs: number }>) =>
  query
    .update(destinations)
    .set({ deletedAt: given.nowMs, sealed: null, events: [], lowBalanceBelow: null })
    .where(isCurrent(given)),
);

const endDeliveriesToDeleted = statement((given: Given<DestinationId & { nowMs: number }>) =>
  query
    .update(deliveries)
    .set(unavailable(given, "The destination was removed."))
    .where(sql`${openOfWorkspace(given)} and ${deliveries.destinationId} = ${given.destinationId}`),
);

/** Deletes a destination and its secrets, and ends its open deliveries. The row stays for its deliveries. */
export const deleteDestinationStatements = (
  db: D1Database,
  deleted: DestinationId & { readonly nowMs: number },
): readonly D1PreparedStatement[] => [
  markDeleted.bind(db, deleted),
  endDeliveriesToDeleted.bind(db, deleted),
];

/** Deletes the rows of deleted destinations without deliveries. */
export const deleteUnreferencedDestinations = statement((given: Given<{ limit: number }>) =>
  query.delete(destinations).where(
    sql`${destinations.destinationId} in (select ${destinations.destinationId} from ${destinations}
        where ${destinations.deletedAt} is not null and ${isNotMoving(destinations.workspaceId)} and not exists (select 1 from ${deliveries}
          where ${deliveries.destinationId} = ${destinations.destinationId})
        order by ${destinations.deletedAt} desc limit ${given.limit})`,
  ),
);
