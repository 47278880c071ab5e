import type { Context } from "hono";
import type { Membership } from "../accounts/membership.ts";
import { requireMemberStatement } from "../accounts/store.ts";
import { refuse } from "../contract/errors.ts";
import { isGuardViolation } from "../db/guard.ts";
import type { DestinationDeps } from "../deliveries/save-destination.ts";
import type { AppEnv } from "./context.ts";
import { RefusedRequest } from "./envelope.ts";
import { requireCapability } from "./require-capability.ts";

/** What the routes of destinations and deliveries need; every one of them names these. */
export const DELIVERY_CAPABILITIES = ["database", "storage", "downloadSigning", "deliveries"] as const;

/** What decisions about destinations are made from; their writes fail once the account has left the workspace. */
export function deliveryDepsOf(c: Context<AppEnv>, membership: Membership): DestinationDeps {
  const { db } = requireCapability(c, "database");
  const { encryption, addressRules } = requireCapability(c, "deliveries");
  const guards = [requireMemberStatement(db, membership)];
  const actor = { accountId: membership.accountId, isOwner: membership.role === "owner" };
  return { db, encryption, addressRules, nowMs: c.var.nowMs, actor, guards };
}

/** Does a write of a member; 404 WORKSPACE_NOT_FOUND when the account has left the workspace in between. */
export async function whileMember<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (thrown) {
    if (!isGuardViolation(thrown, "membership_active")) throw thrown;
    throw new RefusedRequest(refuse("WORKSPACE_NOT_FOUND", "The account is no longer in the workspace."));
  }
}
