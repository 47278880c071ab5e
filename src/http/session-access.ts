import type { Context } from "hono";
import type { Membership } from "../accounts/membership.ts";
import { findMembership, findMembershipByArtifact } from "../accounts/store.ts";
import { refuse } from "../contract/errors.ts";
import type { Scope } from "../contract/scopes.ts";
import type { AppEnv } from "./context.ts";
import { RefusedRequest } from "./envelope.ts";
import { requireCapability } from "./require-capability.ts";

/**
 * The signed-in account in a workspace, as one whose role covers the scope; null asks for no more than being in it. 404 WORKSPACE_NOT_FOUND, alike for a
 * workspace that is not there and one that is not the account's; 403 ROLE_INSUFFICIENT.
 */
export async function requireMembership(
  c: Context<AppEnv>,
  workspaceId: string,
  scope: Scope | null,
): Promise<Membership> {
  const { db } = requireCapability(c, "accounts");
  const membership = await findMembership(db, c.var.session.accountId, workspaceId);
  if (membership === null) {
    throw new RefusedRequest(refuse("WORKSPACE_NOT_FOUND", "The account has no workspace of this id."));
  }
  return scope === null ? membership : requireScope(membership, scope);
}

/** The same in the workspace of an artifact. 404 ARTIFACT_NOT_FOUND, 403 ROLE_INSUFFICIENT. */
export async function requireArtifactWorkspace(
  c: Context<AppEnv>,
  artifactId: string,
  scope: Scope,
): Promise<Membership> {
  const { db } = requireCapability(c, "accounts");
  const membership = await findMembershipByArtifact(db, c.var.session.accountId, artifactId);
  if (membership === null) {
    throw new RefusedRequest(
      refuse("ARTIFACT_NOT_FOUND", "No workspace of the account has an artifact of this id."),
    );
  }
  return requireScope(membership, scope);
}

/** The membership as one of an owner, for what no scope names. 403 ROLE_INSUFFICIENT. */
export function requireOwner(membership: Membership): Membership {
  if (membership.isSuspended) throw suspended();
  if (membership.role === "owner") return membership;
  throw new RefusedRequest(
    refuse("ROLE_INSUFFICIENT", "Only an owner of the workspace may do this.", { requiredRole: "owner" }),
  );
}

function requireScope(membership: Membership, scope: Scope): Membership {
  if (membership.scopes.includes(scope)) return membership;
  if (membership.isSuspended) throw suspended();
  throw new RefusedRequest(
    refuse("ROLE_INSUFFICIENT", `A ${membership.role} of the workspace does not have ${scope}.`, {
      requiredScope: scope,
    }),
  );
}

const suspended = () =>
  new RefusedRequest(
    refuse("ROLE_INSUFFICIENT", "The workspace is suspended; its people may only read.", {
      nextAction: "Ask the operator of this service.",
    }),
  );
