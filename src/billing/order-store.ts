import { and, eq } from "drizzle-orm";
import { query } from "../db/query.ts";
import { billingOrders, payments } from "../db/schema/index.ts";
import { type Given, statement } from "../db/statement.ts";
import { pick } from "../platform/pick.ts";

/** SQL of orders, beside those that events need. */

export const setOrderSession = statement((given: Given<{ orderId: string; sessionId: string }>) =>
  query
    .update(billingOrders)
    .set({ sessionId: given.sessionId })
    .where(eq(billingOrders.orderId, given.orderId)),
);

export const sessionByOrder = statement((given: Given<{ orderId: string }>) =>
  query
    .select(pick(billingOrders, "sessionId"))
    .from(billingOrders)
    .where(eq(billingOrders.orderId, given.orderId)),
);

/** A row while a payment of the workspace is disputed. */
export const hasOpenDispute = statement((given: Given<{ workspaceId: string }>) =>
  query
    .select(pick(payments, "paymentId"))
    .from(payments)
    .where(and(eq(payments.workspaceId, given.workspaceId), eq(payments.dispute, "open"))),
);
