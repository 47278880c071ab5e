import { and, eq, sql } from "drizzle-orm";
import { type Refusal, refuse } from "#api/errors.ts";
import { latest } from "#platform/db/reader.ts";
import { accounts, workspaceMembers, workspaces } from "#platform/db/schema/index.ts";
import { type Given, query, statement } from "#platform/db/statement.ts";

/**
 * If mail is configured, a workspace spends credits and buys only after its owner has confirmed their address.
 * Workspaces without an owner (trials, and those created by an operator) are exempt.
 */

/** 403 EMAIL_NOT_CONFIRMED. */
export const ownerUnconfirmed = (): Refusal =>
  refuse("EMAIL_NOT_CONFIRMED", "The address of the workspace's owner is not confirmed.");

/** EMAIL_NOT_CONFIRMED when the owner's address is not confirmed, otherwise null. Call only if mail is configured. */
export async function findUnconfirmedRefusal(db: D1Database, workspaceId: string): Promise<Refusal | null> {
  const owner = await ownerByWorkspace.first(latest(db), { workspaceId });
  return owner?.isUnconfirmed === 1 ? ownerUnconfirmed() : null;
}

/** SQL of a workspace's owner. */

/** True while the workspace has an owner with an unconfirmed address. */
export const hasUnconfirmedOwner = (given: Given<{ workspaceId: string }>) =>
  sql<number>`exists (select 1 from ${workspaceMembers}
    join ${accounts} on ${accounts.accountId} = ${workspaceMembers.accountId}
    where ${workspaceMembers.workspaceId} = ${given.workspaceId} and ${workspaceMembers.role} = 'owner'
      and ${accounts.isEmailVerified} = 0)`;

/** The account that owns a workspace, if any. */
export const ownerAccount = statement((given: Given<{ workspaceId: string }>) =>
  query
    .from(workspaceMembers, "accountId")
    .where(and(eq(workspaceMembers.workspaceId, given.workspaceId), eq(workspaceMembers.role, "owner"))),
);

/** Whether the owner is unconfirmed; no row for an unknown workspace. */
export const ownerByWorkspace = statement((given: Given<{ workspaceId: string }>) =>
  query
    .read(workspaces, { isUnconfirmed: hasUnconfirmedOwner(given) })
    .where(eq(workspaces.workspaceId, given.workspaceId)),
);
