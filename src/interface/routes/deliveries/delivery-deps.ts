import type { Context } from "hono";
import { assertMembership } from "#domains/accounts/members/membership-store.ts";
import { KEY_CREATOR } from "#domains/deliveries/destination-store.ts";
import type { DestinationDeps } from "#domains/deliveries/save-destination.ts";
import type { Principal } from "#domains/keys/principal.ts";
import { assertKeyActive } from "#domains/keys/store.ts";
import { causeOf } from "#interface/http/audit-cause.ts";
import type { AppEnv } from "#interface/http/context.ts";
import { requireCapability } from "#interface/http/require-capability.ts";

/** Shared by the declarations of destinations and deliveries. */
export const DELIVERIES = {
  scope: "destinations:write",
  isLiveOnly: true,
  needs: ["database", "storage", "downloadSigning", "deliveries"],
} as const;

/** The same operation for an API key at `/api/v1` and for a session below `account`. */
export const bothPaths = <const Verb extends "GET" | "POST" | "PATCH" | "DELETE", const Path extends string>(
  operationId: string,
  verb: Verb,
  path: Path,
  summary: string,
  account = "/api/account/workspaces/{workspaceId}",
) => ({
  forKey: { operationId, route: `${verb} /api/v1${path}` as const, summary },
  forMember: {
    operationId: operationId.replace(/^[a-z]+/, "$&Workspace"),
    route: `${verb} /${account.slice(1)}${path}` as const,
    summary: `${summary}, with an account session`,
  },
});

/**
 * Dependencies of changes to destinations. `guards` fail a batch once the key is revoked or the account has left the
 * workspace.
 */
export function deliveryDepsOf(c: Context<AppEnv>): DestinationDeps {
  const { db } = c.get("workspace");
  const { encryption, addressRules } = requireCapability(c, "deliveries");
  const shared = { db, encryption, addressRules, nowMs: c.var.nowMs, cause: causeOf(c) };
  const principal: Principal | undefined = c.get("principal");
  if (principal !== undefined) {
    const { apiKeyId, isOfSession, countedAs } = principal;
    // The key of a Studio page acts for its account.
    const createdBy = isOfSession ? countedAs : `${KEY_CREATOR}${apiKeyId}`;
    return { ...shared, actor: { createdBy, isOwner: false }, guards: [assertKeyActive.bind(db, principal)] };
  }
  const membership = c.get("membership");
  const actor = { createdBy: membership.accountId, isOwner: membership.role === "owner" };
  return { ...shared, actor, guards: [assertMembership.bind(db, membership)] };
}

/** Path of a delivery for the caller that created it. */
export function deliveryPath(c: Context<AppEnv>, deliveryId: string): string {
  const principal: Principal | undefined = c.get("principal");
  const base = principal ? "/api/v1" : `/api/account/workspaces/${c.get("workspace").workspaceId}`;
  return `${base}/deliveries/${deliveryId}`;
}
