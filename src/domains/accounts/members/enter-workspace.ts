import { LIMITS } from "#api/limits.ts";
import { inGroups } from "#platform/concurrency/in-groups.ts";
import { type Databases, databaseOf } from "#platform/databases/databases.ts";
import { DIRECTORY, readHome } from "#platform/databases/shard-name.ts";
import { latest } from "#platform/db/reader.ts";
import { mirrorPeople } from "./copy-members-to-shard.ts";
import type { Membership } from "./membership.ts";
import {
  findMembership,
  findMembershipByArtifact,
  type StoredMembership,
  suspension,
  toMembership,
  workspaceOfArtifact,
  workspacesOnShards,
} from "./membership-store.ts";

/** Finds a user's membership. `DB` stores the members; the workspace's own database stores whether it is suspended. */

/** Account and time of a request. */
interface Entry {
  readonly accountId: string;
  readonly nowMs: number;
}

/**
 * Adds the workspace's suspension to a membership, read from the workspace's own database. Updates the shard's members
 * first if they are outdated.
 */
async function withSuspension(
  databases: Databases,
  stored: StoredMembership | null,
  nowMs: number,
): Promise<Membership | null> {
  if (stored === null) return null;
  const { workspaceId } = stored;
  const membership = toMembership(stored);
  if (membership.home === DIRECTORY) return membership;
  if (stored.isBehind) await mirrorPeople(databases, workspaceId, nowMs);
  const shard = databaseOf(databases, membership.home);
  if (shard === null) throw new Error(`no database ${membership.home} is bound`);
  const state = await suspension.first(latest(shard), { workspaceId });
  if (state === null) throw new Error("a workspace that its shard does not have");
  return toMembership({ ...stored, suspendedAt: state.suspendedAt });
}

/** The account's membership, or null if the workspace is missing or the account is not a member. */
export const enterById = async (
  databases: Databases,
  { accountId, nowMs }: Entry,
  workspaceId: string,
): Promise<Membership | null> =>
  withSuspension(databases, await findMembership(databases.directory, accountId, workspaceId), nowMs);

/** The account's membership in an artifact's workspace, or null when none of its workspaces has the artifact. */
export async function enterByArtifact(
  databases: Databases,
  { accountId, nowMs }: Entry,
  artifactId: string,
): Promise<Membership | null> {
  const { directory, shards } = databases;
  const found = await findMembershipByArtifact(directory, accountId, artifactId);
  if (found !== null && found.home === null) return withSuspension(databases, found, nowMs);
  if (shards.size === 0) return null;
  const workspaceId = await findOnShards(databases, accountId, artifactId);
  return workspaceId === null ? null : enterById(databases, { accountId, nowMs }, workspaceId);
}

/** Searches each shard that has workspaces of the account for the artifact, and returns the artifact's workspace. */
async function findOnShards(
  databases: Databases,
  accountId: string,
  artifactId: string,
): Promise<string | null> {
  const limit = LIMITS.membershipsPerAccountMax;
  const workspaces = await workspacesOnShards.all(latest(databases.directory), { accountId, limit });
  const byHome = Map.groupBy(workspaces, ({ home }) => readHome(home));
  const found = await inGroups([...byHome], async ([home, onShard]) => {
    const shard = databaseOf(databases, home);
    if (shard === null) return null;
    const workspaceIds = JSON.stringify(onShard.map(({ workspaceId }) => workspaceId));
    return workspaceOfArtifact.first(latest(shard), { artifactId, workspaceIds });
  });
  return found.find((artifact) => artifact !== null)?.workspaceId ?? null;
}
