import { SCOPES, type Scope } from "../contract/scopes.ts";

export const ROLES = ["owner", "member"] as const;
export type Role = (typeof ROLES)[number];

/** An account in a workspace. */
export interface Membership {
  readonly workspaceId: string;
  readonly accountId: string;
  readonly role: Role;
  readonly scopes: readonly Scope[];
}

/** A member reads everything and sends artifacts out; keys, which spend, and members are the owner's. */
const MEMBER_SCOPES: readonly Scope[] = SCOPES.filter(
  (scope) => scope.endsWith(":read") || scope === "deliveries:write",
);

export const scopesOf = (role: Role): readonly Scope[] => (role === "owner" ? SCOPES : MEMBER_SCOPES);
