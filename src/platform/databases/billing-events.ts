import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { billingEvents, billingOrders, payments, subscriptions } from "../db/schema/index.ts";

/**
 * SQL that finds a workspace's events of the payment provider. An event names no workspace, only an object: a payment,
 * a plan, an order or another event.
 */

const ordersOf = (workspaceId: SQL): SQL =>
  sql`select ${billingOrders.orderId} from ${billingOrders} where ${billingOrders.workspaceId} = ${workspaceId}`;

/** Provider ids of the workspace's payments and subscriptions. */
const paymentIdsOf = (workspaceId: SQL): SQL => {
  const ofPayments = (column: SQLiteColumn) =>
    sql`select ${column} from ${payments} where ${payments.workspaceId} = ${workspaceId} and ${column} is not null`;
  return sql`${ofPayments(payments.paymentId)} union all ${ofPayments(payments.intentId)}
    union all ${ofPayments(payments.providerSubscriptionId)}
    union all select ${subscriptions.providerSubscriptionId} from ${subscriptions}
      where ${subscriptions.workspaceId} = ${workspaceId} and ${subscriptions.providerSubscriptionId} is not null`;
};

/**
 * Paid invoices of the workspace that are waiting for another plan to end and have no payment row yet. The outcome is a
 * literal, because the partial index of waiting events requires it.
 */
const waitingInvoices = (workspaceId: SQL): SQL =>
  sql`from billing_events as invoice where invoice.outcome = 'waiting' and invoice.facts ->> '$.kind' = 'invoice-paid'
    and invoice.facts ->> '$.orderId' in (${ordersOf(workspaceId)})`;

/** Ids of the waiting invoices and of their PaymentIntents, from the invoices or from other events. */
export const waitingIdsOf = (workspaceId: SQL): SQL => {
  const invoiceIds = sql`select invoice.facts ->> '$.invoiceId' ${waitingInvoices(workspaceId)}`;
  return sql`${invoiceIds} union all select invoice.facts ->> '$.intentId' ${waitingInvoices(workspaceId)}
      and invoice.facts ->> '$.intentId' is not null
    union all select link.facts ->> '$.intentId' from billing_events as link
      where link.object_id in (${invoiceIds}) and link.facts ->> '$.kind' = 'invoice-intent'`;
};

/** True for a workspace's events. Several conditions, because D1 allows only five selects in a union. */
export const billingEventsOf = (workspaceId: SQL): SQL =>
  sql`(${billingEvents.objectId} in (${paymentIdsOf(workspaceId)})
    or ${billingEvents.objectId} in (${waitingIdsOf(workspaceId)})
    or json_extract(${billingEvents.facts}, '$.orderId') in (${ordersOf(workspaceId)}))`;
