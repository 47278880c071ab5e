import { and, asc, eq } from "drizzle-orm";
import { LEDGER_DESCRIPTIONS } from "#api/ledger-descriptions.ts";
import { CREDITS_PER_SIZE } from "#api/prices.ts";
import { insertCreditEvent } from "#domains/ledger/store.ts";
import { type Databases, databaseOf } from "#platform/databases/databases.ts";
import { DIRECTORY } from "#platform/databases/shard-name.ts";
import { findHome } from "#platform/databases/workspace-location-store.ts";
import { latest } from "#platform/db/reader.ts";
import { accounts, workspaceMembers, workspaces } from "#platform/db/schema/index.ts";
import { type Given, query, statement } from "#platform/db/statement.ts";
import { pick } from "#platform/pick-members.ts";
import { mirrorPeople } from "./members/copy-members-to-shard.ts";

/** Maximum age of a workspace that gets the grant, so that turning the grant on gives existing customers nothing. */
const NEW_MS = 30 * 24 * 3_600_000;

/** The oldest workspace owned by the account with this address, if the address is confirmed. */
const firstOwned = statement((given: Given<{ email: string }>) =>
  query
    .read(accounts, pick(workspaces, "workspaceId", "createdAt"))
    .innerJoin(workspaceMembers, eq(workspaceMembers.accountId, accounts.accountId))
    .innerJoin(workspaces, eq(workspaces.workspaceId, workspaceMembers.workspaceId))
    .where(
      and(
        eq(accounts.email, given.email),
        eq(accounts.isEmailVerified, true),
        eq(workspaceMembers.role, "owner"),
      ),
    )
    .orderBy(asc(workspaces.createdAt), asc(workspaces.workspaceId))
    .limit(1),
);

/**
 * Grants the price of one static size, once per workspace, to the oldest workspace owned by an account with a confirmed
 * address. A workspace older than `NEW_MS` gets nothing. Creates the workspace on its shard first, if the sign-up has
 * not done so.
 */
export async function grantFreeSize(databases: Databases, email: string, nowMs: number): Promise<void> {
  const owned = await firstOwned.first(latest(databases.directory), { email });
  if (owned === null || owned.createdAt <= nowMs - NEW_MS) return;
  const { workspaceId } = owned;
  if (databases.shards.size > 0) await mirrorPeople(databases, workspaceId, nowMs);
  const home = await findHome(databases, DIRECTORY, workspaceId);
  const db = home && databaseOf(databases, home);
  if (!db) throw new Error(`no bound database has the workspace ${workspaceId}`);
  await insertCreditEvent.run(db, {
    ...({ workspaceId, type: "grant", amount: CREDITS_PER_SIZE.static } as const),
    reference: `workspace:${workspaceId}:free-size`,
    ...{ description: LEDGER_DESCRIPTIONS.freeSize, nowMs },
  });
}
