import { loadOnce } from "#platform/concurrency/load-once.ts";
import type { RouteGroup } from "../http/answer-by-group.ts";
import type { Route } from "../http/route.ts";

/** Where the operations that a member calls for a workspace begin. */
const WORKSPACE = "/api/account/workspaces/*";

/** Every operation of the API by group, in the order of the documentation. */
export const ROUTE_GROUPS: readonly RouteGroup[] = [
  {
    prefixes: ["/api/v1/agent", "/api/v1/balance", "/api/v1/usage", "/api/v1/api-keys"],
    load: loadOnce(() => import("./groups/credits.ts")),
  },
  { prefixes: ["/api/v1/contracts"], load: loadOnce(() => import("./groups/catalogue.ts")) },
  { prefixes: ["/api/v1/assets"], load: loadOnce(() => import("./groups/assets.ts")) },
  { prefixes: ["/api/v1/brands"], load: loadOnce(() => import("./groups/brands.ts")) },
  { prefixes: ["/api/v1/previews"], load: loadOnce(() => import("./groups/previews.ts")) },
  { prefixes: ["/api/v1/jobs"], load: loadOnce(() => import("./groups/jobs.ts")) },
  {
    prefixes: ["/api/v1/artifacts", "/api/v1/downloads"],
    load: loadOnce(() => import("./groups/artifacts.ts")),
  },
  {
    prefixes: ["/api/v1/artifacts/*/shares", "/api/v1/shared"],
    load: loadOnce(() => import("./groups/shares.ts")),
  },
  {
    prefixes: [`${WORKSPACE}/destinations`, `${WORKSPACE}/deliveries`, "/api/account/artifacts"],
    load: loadOnce(() => import("./groups/deliveries.ts")),
  },
  { prefixes: [`${WORKSPACE}/billing`], load: loadOnce(() => import("./groups/billing.ts")) },
  { prefixes: ["/api/billing", "/api/mail"], load: loadOnce(() => import("./groups/events.ts")) },
  { prefixes: ["/api/v1/service", "/health"], load: loadOnce(() => import("./groups/service.ts")) },
  { prefixes: ["/api/account"], load: loadOnce(() => import("./groups/account.ts")) },
  {
    prefixes: ["/api/account/workspaces", "/api/account/invitations"],
    load: loadOnce(() => import("./groups/workspaces.ts")),
  },
];

/** Every operation of the API, in the order of the documentation. */
export async function loadRoutes(): Promise<readonly Route[]> {
  const groups = await Promise.all(ROUTE_GROUPS.map(({ load }) => load()));
  return groups.flatMap(({ routes }) => routes);
}
