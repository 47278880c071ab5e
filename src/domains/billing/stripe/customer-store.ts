import { eq } from "drizzle-orm";
import { billingCustomers } from "#platform/db/schema/index.ts";
import { type Given, matches, query, statement } from "#platform/db/statement.ts";
import { pick } from "#platform/pick-members.ts";

export const customerByWorkspace = statement((given: Given<{ workspaceId: string }>) =>
  query.from(billingCustomers, "customerId").where(eq(billingCustomers.workspaceId, given.workspaceId)),
);

/** Inserts a workspace's customer; changes no row if it already has one. */
export const insertCustomer = statement(
  (given: Given<{ workspaceId: string; customerId: string; createdAt: number }>) =>
    query
      .insert(billingCustomers)
      .values(pick(given, "workspaceId", "customerId", "createdAt"))
      .onConflictDoNothing({ target: billingCustomers.workspaceId }),
);

export const deleteCustomer = statement((given: Given<{ workspaceId: string; customerId: string }>) =>
  query.delete(billingCustomers).where(matches(billingCustomers, pick(given, "workspaceId", "customerId"))),
);
