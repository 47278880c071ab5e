import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import {
  accountCredentials,
  accountDevices,
  accountEvents,
  accountSessions,
  accounts,
  accountVerifications,
  alertChanges,
  apiKeys,
  artifacts,
  assetImports,
  assets,
  auditEvents,
  batchGuards,
  billingCustomers,
  billingEvents,
  billingOrders,
  brands,
  databaseFigures,
  deadLetters,
  deliveries,
  deliveryFiles,
  destinations,
  idempotencyKeys,
  jobParts,
  jobs,
  ledgerEvents,
  ledgerMonths,
  mailMessages,
  mailSuppressions,
  memberEvents,
  payments,
  previews,
  shardStates,
  shareComments,
  shares,
  subscriptions,
  topUpRules,
  topUps,
  trialClaims,
  uploads,
  usageDays,
  workspaceChanges,
  workspaceCopies,
  workspaceInvitations,
  workspaceMembers,
  workspaceMoves,
  workspaceNotices,
  workspaceObjects,
  workspaces,
} from "../db/schema/index.ts";
import { billingEventsOf } from "./billing-events.ts";

/**
 * How the rows of every table hang on a workspace: what a move copies, in which order, and what it leaves. A table that
 * stands in none of these lists fails test/unit/move-tables.test.ts.
 */

/** A column whose value is another one in each database: what stands for it while it is copied. */
interface Translated {
  readonly column: SQLiteColumn;
  /** The value by which the other database knows the same thing. */
  readonly read: SQL;
  readonly write: (value: SQL) => SQL;
}

/** Rows that hang on those of a root: copied and removed with them. */
interface ChildTable {
  readonly table: SQLiteTable;
  /** True of the rows that hang on roots whose keys are among these, a selection of one column. */
  readonly isOf: (keys: SQL) => SQL;
}

/** A unique index over the rows that have not ended: of those that are alike in some columns, one at a time. */
interface OneOpen {
  readonly alike: readonly SQLiteColumn[];
  /** Null while the row has not ended. */
  readonly endedAt: SQLiteColumn;
  /** A time at which it may have ended. */
  readonly createdAt: SQLiteColumn;
}

/** A table of a workspace's rows, and the tables whose rows hang on them. */
export interface TableGroup {
  readonly root: SQLiteTable;
  /** What tells a root, or a few roots that are copied together, in both databases. */
  readonly key: SQLiteColumn;
  /** The column by which the roots are gone through, in an index behind the workspace. */
  readonly order: SQLiteColumn;
  /** True of the workspace's rows. */
  readonly isOf: (workspaceId: SQL) => SQL;
  /** Parents before those that hang on them. */
  readonly children: readonly ChildTable[];
  /** Rows of other groups that name roots of this one, those first that others name: with a root they are gone. */
  readonly dependents: readonly ChildTable[];
  /** Roots in a page at first: a page of them with all that hangs on them is some hundred kilobytes. */
  readonly pageRows: number;
  /**
   * `replace`: roots that differ are deleted and inserted. `update`: rows of other groups hang on them, or they are
   * numbered, so that they stay. `append`: rows are never changed. `merge`: the target may have rows of its own, which stay.
   */
  readonly write: "replace" | "update" | "append" | "merge";
  /** Of roots that are updated: which of them the target may still have open in place of one that is copied. */
  readonly oneOpen: OneOpen | null;
  /** A number that the database gives: larger in each later row, and in a moved one never smaller than it was. */
  readonly number: SQLiteColumn | null;
  readonly translated: readonly Translated[];
  /**
   * Copied only once nothing is written any more, in one page: a row, or one a month. The others are noted when they are written
   * while they are copied (migrations/0030 and 0031).
   */
  readonly isLate: boolean;
  /** Left on the old database when the others are deleted: keys that name it find their way by them. */
  readonly isLeftBehind: boolean;
}

type GroupOptions = Partial<Omit<TableGroup, "root" | "key" | "order">>;

const isIn = (column: SQLiteColumn, values: SQL): SQL => sql`${column} in (${values})`;

const USUAL = {
  children: [],
  dependents: [],
  pageRows: 200,
  write: "replace",
  oneOpen: null,
  number: null,
  translated: [],
  isLate: false,
  isLeftBehind: false,
} as const;

const group = (
  root: SQLiteTable & { readonly workspaceId: SQLiteColumn },
  key: SQLiteColumn,
  order: SQLiteColumn = key,
  options: GroupOptions = {},
): TableGroup => ({
  ...USUAL,
  root,
  key,
  order,
  isOf: (workspaceId) => sql`${root.workspaceId} = ${workspaceId}`,
  ...options,
});

/** The artifacts of jobs: a job has its artifact's id from its beginning. */
const inJobs = (keys: SQL): SQL =>
  sql`select ${jobs.artifactId} from ${jobs} where ${isIn(jobs.jobId, keys)}`;

/** What is copied, in an order in which no row comes before one that it names. */
export const MOVED_GROUPS: readonly TableGroup[] = [
  group(ledgerEvents, ledgerEvents.reference, ledgerEvents.eventId, {
    pageRows: 500,
    write: "append",
    number: ledgerEvents.eventId,
  }),
  // Late, since a month names an event: both are noted in one batch, and might come in two pages.
  group(ledgerMonths, ledgerMonths.month, ledgerMonths.month, {
    pageRows: 500,
    isLate: true,
    translated: [
      {
        column: ledgerMonths.firstEventId,
        read: sql`(select e.reference from ${ledgerEvents} as e where e.event_id = ${ledgerMonths.firstEventId})`,
        write: (reference) =>
          sql`(select e.event_id from ${ledgerEvents} as e where e.reference = ${reference})`,
      },
    ],
  }),
  group(apiKeys, apiKeys.apiKeyId, apiKeys.apiKeyId, { isLeftBehind: true }),
  group(assets, assets.assetId, assets.createdAt, {
    pageRows: 100,
    children: [
      { table: uploads, isOf: (keys) => isIn(uploads.assetId, keys) },
      { table: assetImports, isOf: (keys) => isIn(assetImports.assetId, keys) },
    ],
  }),
  group(brands, brands.brandId, brands.createdAt),
  group(jobs, jobs.jobId, jobs.createdAt, {
    pageRows: 20,
    children: [
      { table: jobParts, isOf: (keys) => isIn(jobParts.jobId, keys) },
      { table: artifacts, isOf: (keys) => isIn(artifacts.artifactId, inJobs(keys)) },
      { table: shares, isOf: (keys) => isIn(shares.artifactId, inJobs(keys)) },
      {
        table: shareComments,
        isOf: (keys) =>
          isIn(
            shareComments.shareId,
            sql`select ${shares.shareId} from ${shares} where ${isIn(shares.artifactId, inJobs(keys))}`,
          ),
      },
    ],
  }),
  group(idempotencyKeys, idempotencyKeys.idempotencyKey),
  group(auditEvents, auditEvents.eventId, auditEvents.eventId, { pageRows: 500 }),
  group(usageDays, usageDays.apiKeyId, usageDays.apiKeyId, { pageRows: 20 }),
  group(previews, previews.objectKey),
  group(destinations, destinations.destinationId, destinations.createdAt, {
    write: "update",
    oneOpen: {
      alike: [destinations.workspaceId, destinations.identity],
      endedAt: destinations.deletedAt,
      createdAt: destinations.createdAt,
    },
    dependents: [
      {
        table: deliveryFiles,
        isOf: (keys) =>
          isIn(
            deliveryFiles.deliveryId,
            sql`select ${deliveries.deliveryId} from ${deliveries} where ${isIn(deliveries.destinationId, keys)}`,
          ),
      },
      { table: deliveries, isOf: (keys) => isIn(deliveries.destinationId, keys) },
    ],
  }),
  group(deliveries, deliveries.deliveryId, deliveries.deliveryNumber, {
    write: "update",
    oneOpen: {
      alike: [deliveries.artifactId, deliveries.destinationId],
      endedAt: deliveries.finishedAt,
      createdAt: deliveries.createdAt,
    },
    number: deliveries.deliveryNumber,
    children: [{ table: deliveryFiles, isOf: (keys) => isIn(deliveryFiles.deliveryId, keys) }],
  }),
  group(workspaceNotices, workspaceNotices.workspaceId, workspaceNotices.workspaceId, { isLate: true }),
  group(subscriptions, subscriptions.subscriptionId, subscriptions.subscriptionId, { pageRows: 500 }),
  group(billingCustomers, billingCustomers.workspaceId, billingCustomers.workspaceId, { isLate: true }),
  group(billingOrders, billingOrders.orderId, billingOrders.orderId, { pageRows: 500 }),
  group(payments, payments.paymentId, payments.paymentId, { pageRows: 500 }),
  // An event does not name its workspace: it is left where it was, and does no harm there. One that waits in `DB` for a payment
  // that a shard has heard of since is still to be applied (src/domains/billing/apply-event.ts).
  {
    ...USUAL,
    root: billingEvents,
    key: billingEvents.eventId,
    order: billingEvents.eventId,
    isOf: billingEventsOf,
    pageRows: 500,
    write: "merge",
    isLeftBehind: true,
  },
  group(topUpRules, topUpRules.workspaceId, topUpRules.workspaceId, { isLate: true }),
  group(topUps, topUps.topUpId, topUps.topUpId, { pageRows: 500 }),
];

/** The workspace's own row is made first and opened last (move-store.ts). */
const WORKSPACE_ROWS: readonly SQLiteTable[] = [workspaces];

/** Only in `DB`, or mirrored from it: the people, and how they come in. */
const IN_THE_DIRECTORY: readonly SQLiteTable[] = [
  ...[accounts, accountCredentials, accountSessions, accountEvents, accountDevices, accountVerifications],
  ...[workspaceMembers, workspaceInvitations, trialClaims, workspaceMoves, workspaceObjects, shardStates],
  ...[databaseFigures, alertChanges, memberEvents],
];

/** Mail goes out from where it was written, and hangs on an address, not on a workspace. */
const LEFT_WHERE_WRITTEN: readonly SQLiteTable[] = [mailMessages, mailSuppressions];

/** Empty between batches, what was written while a workspace is copied, and counts. */
const OF_NO_WORKSPACE: readonly SQLiteTable[] = [batchGuards, workspaceCopies, workspaceChanges, deadLetters];

/** Every table, once. */
export const PLACED_TABLES: readonly SQLiteTable[] = [
  ...MOVED_GROUPS.flatMap(({ root, children }) => [root, ...children.map(({ table }) => table)]),
  ...[...WORKSPACE_ROWS, ...IN_THE_DIRECTORY, ...LEFT_WHERE_WRITTEN, ...OF_NO_WORKSPACE],
];
