import { and, asc, desc, eq, gt, inArray, isNull, lt, sql } from "drizzle-orm";
import { guard, isNotMoving } from "#platform/db/batch-guard.ts";
import {
  accounts,
  billingOrders,
  payments,
  topUps,
  workspaceMembers,
  workspaces,
} from "#platform/db/schema/index.ts";
import { type Given, query, type RowOf, statement } from "#platform/db/statement.ts";
import { pick } from "#platform/pick-members.ts";

const ORDERED = ["workspaceId", "kind", "offerId", "currency", "amount", "credits"] as const;

export const orderById = statement((given: Given<{ orderId: string | null }>) =>
  query.from(billingOrders, "orderId", ...ORDERED, "quota").where(eq(billingOrders.orderId, given.orderId)),
);

/** A purchase as it was requested from the provider. */
export type Order = Readonly<RowOf<typeof orderById>>;

/** Inserts an order. Changes no row when it exists: a repeated request has inserted an identical one. */
export const insertOrder = statement((given: Given<Order & { createdAt: number }>) =>
  query
    .insert(billingOrders)
    .values(pick(given, "orderId", ...ORDERED, "quota", "createdAt"))
    .onConflictDoNothing(),
);

const SETTLED = ["amountRefunded", "amountDisputed", "creditsHeld", "creditsOwed", "dispute"] as const;

export const PAYMENT = ["paymentId", ...ORDERED, ...SETTLED, "revision", "paidAt", "receiptUrl"] as const;

const shownPayment = pick(payments, ...PAYMENT);

const isPayment = (id: Given<{ paymentId: string }>["paymentId"]) =>
  sql`(${payments.paymentId} = ${id} or ${payments.intentId} = ${id})`;

/** The payment with this id, or the plan's payment with this PaymentIntent, by which refunds and disputes name it. */
export const paymentByIntent = statement((given: Given<{ paymentId: string }>) =>
  query.read(payments, shownPayment).where(isPayment(given.paymentId)),
);

export type Payment = Readonly<RowOf<typeof paymentByIntent>>;

/**
 * Maximum number of payments read, more than any workspace owes credits for. Any others follow once these are settled.
 */
const OWING_MAX = 100;

/** The workspace's payments with owed credits, oldest first. */
export const owingPayments = statement((given: Given<{ workspaceId: string | null }>) =>
  query
    .read(payments, shownPayment)
    .where(and(eq(payments.workspaceId, given.workspaceId), gt(payments.creditsOwed, sql`0`)))
    .orderBy(asc(payments.paidAt), asc(payments.paymentId))
    .limit(OWING_MAX),
);

export const billedWorkspace = statement((given: Given<{ workspaceId: string | null }>) =>
  query
    .from(workspaces, "workspaceId", "credits", "expiresAt", "suspendedAt", "suspendedFor")
    .where(eq(workspaces.workspaceId, given.workspaceId)),
);

export type BilledWorkspace = Readonly<RowOf<typeof billedWorkspace>>;

export const insertPayment = statement((given: Given<Payment & { nowMs: number }>) =>
  query.insert(payments).values({
    ...pick(given, ...PAYMENT),
    createdAt: given.nowMs,
  }),
);

export const updatePayment = statement((given: Given<Payment>) =>
  query
    .update(payments)
    .set(pick(given, ...SETTLED, "receiptUrl", "revision"))
    .where(eq(payments.paymentId, given.paymentId)),
);

/**
 * Fails its batch unless the payment, found by its id or its intent's, has this revision, or does not exist if
 * `revision` is null.
 */
export const assertPaymentUnchanged = statement(
  (given: Given<{ paymentId: string; revision: number | null }>) =>
    guard(
      "payment_unchanged",
      sql`(select ${payments.revision} from ${payments} where ${isPayment(given.paymentId)}) is ${given.revision}`,
    ),
);

/** Suspends a workspace for a dispute, unless an operator suspended it. */
export const suspendForDispute = statement((given: Given<{ workspaceId: string; nowMs: number }>) =>
  query
    .update(workspaces)
    .set({ suspendedAt: given.nowMs, suspendedFor: "dispute" })
    .where(and(eq(workspaces.workspaceId, given.workspaceId), isNull(workspaces.suspendedAt))),
);

/** Resumes a workspace that was suspended for a dispute; changes nothing for an operator's suspension. */
export const liftDisputeSuspension = statement((given: Given<{ workspaceId: string }>) =>
  query
    .update(workspaces)
    .set({ suspendedAt: null, suspendedFor: null })
    .where(and(eq(workspaces.workspaceId, given.workspaceId), eq(workspaces.suspendedFor, "dispute"))),
);

/** Marks an automatic purchase as paid. Its id is the id of its order. */
export const markTopUpPaid = statement(
  (given: Given<{ topUpId: string; paymentId: string; nowMs: number }>) =>
    query
      .update(topUps)
      .set({
        status: "paid",
        paymentId: given.paymentId,
        failureCode: null,
        nextAttemptAt: null,
        finishedAt: given.nowMs,
      })
      .where(eq(topUps.topUpId, given.topUpId)),
);

/** Receipt addresses of a workspace: the confirmed ones of its owners. */
export const receiptAddresses = statement((given: Given<{ workspaceId: string | null }>) =>
  query
    .read(workspaceMembers, pick(accounts, "accountId", "email", "language"))
    .innerJoin(accounts, eq(accounts.accountId, workspaceMembers.accountId))
    .where(
      and(
        eq(workspaceMembers.workspaceId, given.workspaceId),
        eq(workspaceMembers.role, "owner"),
        eq(accounts.isEmailVerified, true),
      ),
    ),
);

export type ReceiptAddress = RowOf<typeof receiptAddresses>;

/** Workspaces that owe credits and have a positive balance. */
export const workspacesToCollectFrom = statement((given: Given<{ limit: number }>) =>
  query
    .from(workspaces, "workspaceId", "credits", "expiresAt", "suspendedAt", "suspendedFor")
    .where(
      and(
        gt(workspaces.credits, sql`0`),
        isNotMoving(workspaces.workspaceId),
        inArray(
          workspaces.workspaceId,
          query.from(payments, "workspaceId").where(gt(payments.creditsOwed, sql`0`)),
        ),
      ),
    )
    .limit(given.limit),
);

/** A workspace's payments, newest first; optionally only those older than the payment `before`. */
export const paymentsPage = statement(
  (given: Given<{ workspaceId: string; before: string | null; limit: number }>) =>
    query
      .read(payments, {
        ...shownPayment,
        ...pick(payments, "periodStart", "periodEnd"),
      })
      .where(
        and(
          eq(payments.workspaceId, given.workspaceId),
          sql`(${given.before} is null or (${payments.paidAt}, ${payments.paymentId}) <
            (select earlier.paid_at, earlier.payment_id from ${payments} as earlier
             where earlier.workspace_id = ${given.workspaceId} and earlier.payment_id = ${given.before}))`,
        ),
      )
      .orderBy(desc(payments.paidAt), desc(payments.paymentId))
      .limit(given.limit),
);

export type ListedPayment = RowOf<typeof paymentsPage>;

export const setOrderSession = statement((given: Given<{ orderId: string; sessionId: string }>) =>
  query
    .update(billingOrders)
    .set({ sessionId: given.sessionId })
    .where(eq(billingOrders.orderId, given.orderId)),
);

export const sessionByOrder = statement((given: Given<{ orderId: string }>) =>
  query.from(billingOrders, "sessionId").where(eq(billingOrders.orderId, given.orderId)),
);

/**
 * Inserts the order of a purchase that a user starts, while the workspace has started fewer than `max` since `sinceMs`.
 * Changes no row at that limit, or when the order exists: a repeated request has inserted an identical one.
 */
export const insertOrderWithinLimit = statement(
  (given: Given<Order & { createdAt: number; sinceMs: number; max: number }>) =>
    query
      .insert(billingOrders)
      .selecting(
        pick(given, "orderId", ...ORDERED, "quota", "createdAt"),
        sql`where (select count(*) from ${billingOrders} where ${billingOrders.workspaceId} = ${given.workspaceId}
          and ${billingOrders.createdAt} > ${given.sinceMs}) < ${given.max}`,
      )
      .onConflictDoNothing(),
);

/** A row while a payment of the workspace is disputed. */
export const hasOpenDispute = statement((given: Given<{ workspaceId: string }>) =>
  query
    .from(payments, "paymentId")
    .where(and(eq(payments.workspaceId, given.workspaceId), eq(payments.dispute, "open"))),
);

/**
 * Deletes orders too old to be paid; payments have copies of the orders' data. In a workspace that has paid for a plan,
 * plan orders stay, because each renewal names its order.
 */
export const deleteOldOrders = statement((given: Given<{ createdBeforeMs: number; limit: number }>) =>
  query.deleteFirst(
    billingOrders,
    billingOrders.orderId,
    and(
      lt(billingOrders.createdAt, given.createdBeforeMs),
      isNotMoving(billingOrders.workspaceId),
      sql`not (${billingOrders.kind} = 'plan' and exists (select 1 from ${payments}
        where ${payments.workspaceId} = ${billingOrders.workspaceId} and ${payments.kind} = 'plan'))`,
    ),
    billingOrders.createdAt,
    given.limit,
  ),
);

export const planOfPayment = statement((given: Given<{ paymentId: string }>) =>
  query
    .from(payments, "providerSubscriptionId", "periodStart")
    .where(eq(payments.paymentId, given.paymentId)),
);
