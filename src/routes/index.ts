import type { OpenAPIHono } from "@hono/zod-openapi";
import type { AppEnv } from "../http/context.ts";
import { listContracts } from "./list-contracts.ts";

/** Every operation of the interface, in the order of the documentation. One line a room, so that edits stay apart. */
export function addRoutes(app: OpenAPIHono<AppEnv>): void {
  app.openapiRoutes([listContracts] as const);
}
