import { SCOPES, type Scope } from "#api/scopes.ts";
import type { Home } from "#platform/databases/shard-name.ts";

const ROLES = ["owner", "member"] as const;
export type Role = (typeof ROLES)[number];

export interface Membership {
  readonly workspaceId: string;
  readonly accountId: string;
  readonly role: Role;
  /** Members of a suspended workspace may read but not change anything. */
  readonly isSuspended: boolean;
  readonly scopes: readonly Scope[];
  /** The workspace's database. */
  readonly home: Home;
}

/**
 * A member may read everything except the audit log, and manage destinations and deliveries. Only the owner may spend
 * credits and manage members and keys.
 */
const MEMBER_SCOPES: readonly Scope[] = SCOPES.filter(
  (scope) =>
    (scope.endsWith(":read") && scope !== "audit:read") || /^(deliveries|destinations):write$/.test(scope),
);

const readsOnly = (scopes: readonly Scope[]): readonly Scope[] =>
  scopes.filter((scope) => scope.endsWith(":read"));

export function scopesOf(role: Role, isSuspended: boolean): readonly Scope[] {
  const scopes = role === "owner" ? SCOPES : MEMBER_SCOPES;
  return isSuspended ? readsOnly(scopes) : scopes;
}
