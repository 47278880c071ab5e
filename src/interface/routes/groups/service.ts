import type { Route } from "#interface/http/route.ts";
import { getHealthRoute } from "../service/get-health.ts";
import { getServiceRoute } from "../service/get-service.ts";

export { addDeepHealth as addOthers } from "../service/get-deep-health.ts";

export const routes: readonly Route[] = [getServiceRoute, getHealthRoute];
