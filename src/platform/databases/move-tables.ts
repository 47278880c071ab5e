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
  imageSecrets,
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
 * Lists of all tables: those that a move copies, in order, and those that it does not copy. Each copied table has a
 * condition that finds a workspace's rows. test/unit/move-tables.test.ts fails for a table in none of the lists.
 */

/** A column whose value differs by database, and its translation. */
interface Translated {
  readonly column: SQLiteColumn;
  /** SQL of a value that both databases share, such as an event's reference instead of its number. */
  readonly read: SQL;
  readonly write: (value: SQL) => SQL;
}

/** A table whose rows belong to a root, and are copied and deleted with it. */
interface ChildTable {
  readonly table: SQLiteTable;
  /** True for rows of the roots whose keys `keys` selects. */
  readonly isOf: (keys: SQL) => SQL;
}

/** A unique index over open rows: only one open row per combination of the columns `alike`. */
interface OneOpen {
  readonly alike: readonly SQLiteColumn[];
  /** Null while the row has not ended. */
  readonly endedAt: SQLiteColumn;
  /** Creation time; becomes the `endedAt` of an open row that blocks the index for a newer row. */
  readonly createdAt: SQLiteColumn;
}

/** A table of a workspace's rows (the root table), and its child tables. A row of the root table is called a root. */
export interface TableGroup {
  readonly root: SQLiteTable;
  /** Identifies a root, or a few roots that are copied together, in both databases. */
  readonly key: SQLiteColumn;
  /** The paging order: the column after the workspace in an index. */
  readonly order: SQLiteColumn;
  /** True for the workspace's rows. */
  readonly isOf: (workspaceId: SQL) => SQL;
  /** Parents before their children. */
  readonly children: readonly ChildTable[];
  /** Rows of other groups that reference this root, dependents first: they are deleted with it. */
  readonly dependents: readonly ChildTable[];
  /** Initial number of roots per page, so that a page with its children is a few hundred kilobytes. */
  readonly pageRows: number;
  /**
   * `replace`: roots that differ are deleted and inserted. `update`: roots stay in place, because other groups
   * reference them or they are numbered. `append`: rows never change. `merge`: rows that only the
   * target has stay.
   */
  readonly write: "replace" | "update" | "append" | "merge";
  /** For updated roots: the unique index that an open root of the target may block. */
  readonly oneOpen: OneOpen | null;
  /** A number that the database assigns: it grows with each row, and never shrinks in a move. */
  readonly number: SQLiteColumn | null;
  readonly translated: readonly Translated[];
  /**
   * Copied only while writes are refused, usually in one page: a workspace has a single row, or one per month. For all
   * other groups, changes are recorded while the workspace is copied (migrations/0030 and 0031).
   */
  readonly isLate: boolean;
  /** Stays in the old database after the move, for example to forward API keys that name that database. */
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

/** The artifact ids of jobs. A job has its artifact's id from its creation on. */
const inJobs = (keys: SQL): SQL =>
  sql`select ${jobs.artifactId} from ${jobs} where ${isIn(jobs.jobId, keys)}`;

/** The copied groups, in an order that satisfies references. */
export const MOVED_GROUPS: readonly TableGroup[] = [
  group(ledgerEvents, ledgerEvents.reference, ledgerEvents.eventId, {
    pageRows: 500,
    write: "append",
    number: ledgerEvents.eventId,
  }),
  // Late, because a month references an event: both are recorded in one batch, but could be copied in different pages.
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
  group(imageSecrets, imageSecrets.imageSecretId, imageSecrets.imageSecretId),
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
  // Events name no workspace, so they stay in the old database, where they are harmless. An event that waits in `DB`
  // for a shard's payment must still be applied (src/domains/billing/apply-event.ts).
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

/** The workspace's own row is created first and opened last (move-store.ts). */
const WORKSPACE_ROWS: readonly SQLiteTable[] = [workspaces];

/** Only in `DB`, or mirrored from it: accounts, members and invitations. */
const IN_THE_DIRECTORY: readonly SQLiteTable[] = [
  ...[accounts, accountCredentials, accountSessions, accountEvents, accountDevices, accountVerifications],
  ...[workspaceMembers, workspaceInvitations, trialClaims, workspaceMoves, workspaceObjects, shardStates],
  ...[databaseFigures, alertChanges, memberEvents],
];

/** Mail is sent from the database where it was written; it belongs to an address, not to a workspace. */
const LEFT_WHERE_WRITTEN: readonly SQLiteTable[] = [mailMessages, mailSuppressions];

/** Two tables that are empty between batches, the change log, and counters. */
const OF_NO_WORKSPACE: readonly SQLiteTable[] = [batchGuards, workspaceCopies, workspaceChanges, deadLetters];

export const PLACED_TABLES: readonly SQLiteTable[] = [
  ...MOVED_GROUPS.flatMap(({ root, children }) => [root, ...children.map(({ table }) => table)]),
  ...[...WORKSPACE_ROWS, ...IN_THE_DIRECTORY, ...LEFT_WHERE_WRITTEN, ...OF_NO_WORKSPACE],
];
