import type { Context } from "hono";
import { assertMembership } from "#domains/accounts/members/membership-store.ts";
import type { DestinationDeps } from "#domains/deliveries/save-destination.ts";
import { memberWith } from "#interface/http/access.ts";
import type { AppEnv } from "#interface/http/context.ts";
import { requireCapability } from "#interface/http/require-capability.ts";

/** What the declarations of destinations and deliveries share. */
export const DELIVERIES = {
  access: memberWith("deliveries:write"),
  needs: ["database", "storage", "downloadSigning", "deliveries"],
} as const;

/** What changes of destinations depend on. `guards` fail a batch once the account has left the workspace. */
export function deliveryDepsOf(c: Context<AppEnv>): DestinationDeps {
  const membership = c.get("membership");
  const { db } = c.get("workspace");
  const { encryption, addressRules } = requireCapability(c, "deliveries");
  const guards = [assertMembership.bind(db, membership)];
  const actor = { accountId: membership.accountId, isOwner: membership.role === "owner" };
  return { db, encryption, addressRules, nowMs: c.var.nowMs, actor, guards };
}
