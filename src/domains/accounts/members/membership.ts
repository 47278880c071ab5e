import { SCOPES, type Scope } from "#api/scopes.ts";
import type { Home } from "#platform/databases/shard-name.ts";

const ROLES = ["owner", "member"] as const;
export type Role = (typeof ROLES)[number];

/** An account in a workspace. */
export interface Membership {
  readonly workspaceId: string;
  readonly accountId: string;
  readonly role: Role;
  /** An operator has stopped the workspace: its people read, and change nothing. */
  readonly isSuspended: boolean;
  readonly scopes: readonly Scope[];
  /** The database where the workspace lives. */
  readonly home: Home;
}

/** A member reads everything but the audit log, and sends artifacts out; keys, which spend, and members are the owner's. */
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
