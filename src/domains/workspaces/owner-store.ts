import { and, eq, sql } from "drizzle-orm";
import { query } from "#platform/db/query.ts";
import { accounts, workspaceMembers, workspaces } from "#platform/db/schema/index.ts";
import { type Given, statement } from "#platform/db/statement.ts";

/** SQL of who owns a workspace. */

/** True while the workspace has an owner whose address is not confirmed. */
export const hasUnconfirmedOwner = (given: Given<{ workspaceId: string }>) =>
  sql<number>`exists (select 1 from ${workspaceMembers}
    join ${accounts} on ${accounts.accountId} = ${workspaceMembers.accountId}
    where ${workspaceMembers.workspaceId} = ${given.workspaceId} and ${workspaceMembers.role} = 'owner'
      and ${accounts.isEmailVerified} = 0)`;

/** The account that owns a workspace, if any. */
export const ownerAccount = statement((given: Given<{ workspaceId: string }>) =>
  query
    .select({ accountId: workspaceMembers.accountId })
    .from(workspaceMembers)
    .where(and(eq(workspaceMembers.workspaceId, given.workspaceId), eq(workspaceMembers.role, "owner"))),
);

/** Whether the owner is unconfirmed; no row for an unknown workspace. */
export const ownerByWorkspace = statement((given: Given<{ workspaceId: string }>) =>
  query
    .select({ isUnconfirmed: hasUnconfirmedOwner(given) })
    .from(workspaces)
    .where(eq(workspaces.workspaceId, given.workspaceId)),
);
