import { loadOnce } from "#platform/concurrency/load-once.ts";
import type { RouteGroup } from "../http/answer-by-group.ts";
import type { Route } from "../http/route.ts";

/** Path prefix of operations that a member calls for a workspace. */
const WORKSPACE = "/api/account/workspaces/*";

/** Every operation of the API by group, in the order of the documentation. */
export const ROUTE_GROUPS: readonly RouteGroup[] = [
  {
    prefixes: ["/api/v1/agent", "/api/v1/balance", "/api/v1/usage", "/api/v1/api-keys"],
    load: loadOnce(() => import("./groups/credits.ts")),
  },
  { prefixes: ["/api/v1/contracts"], load: loadOnce(() => import("./catalogue/contracts.ts")) },
  { prefixes: ["/api/v1/assets"], load: loadOnce(() => import("./assets/assets.ts")) },
  { prefixes: ["/api/v1/brands"], load: loadOnce(() => import("./brands/brands.ts")) },
  {
    prefixes: ["/i", "/api/v1/image-urls", "/api/v1/image-secrets", `${WORKSPACE}/image-secrets`],
    load: loadOnce(() => import("./images/images.ts")),
  },
  { prefixes: ["/api/v1/previews"], load: loadOnce(() => import("./previews/previews.ts")) },
  { prefixes: ["/api/v1/jobs"], load: loadOnce(() => import("./jobs/jobs.ts")) },
  { prefixes: ["/api/v1/audit", `${WORKSPACE}/audit`], load: loadOnce(() => import("./groups/audit.ts")) },
  {
    prefixes: ["/api/v1/artifacts", "/api/v1/downloads"],
    load: loadOnce(() => import("./artifacts/artifacts.ts")),
  },
  {
    prefixes: ["/api/v1/artifacts/*/shares", "/api/v1/shared"],
    load: loadOnce(() => import("./shares/shares.ts")),
  },
  {
    prefixes: [
      ...["/api/v1/destinations", "/api/v1/deliveries", "/api/v1/artifacts/*/destinations"],
      ...[`${WORKSPACE}/destinations`, `${WORKSPACE}/deliveries`, "/api/account/artifacts"],
    ],
    load: loadOnce(() => import("./deliveries/deliveries.ts")),
  },
  { prefixes: [`${WORKSPACE}/billing`], load: loadOnce(() => import("./billing/billing.ts")) },
  { prefixes: ["/api/billing", "/api/mail"], load: loadOnce(() => import("./groups/events.ts")) },
  { prefixes: ["/api/v1/service", "/health"], load: loadOnce(() => import("./service/service.ts")) },
  { prefixes: ["/api/account"], load: loadOnce(() => import("./account/session.ts")) },
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
