import { contractListSchema } from "#api/schemas/catalogue.ts";
import { listContracts } from "#catalogue/contracts.ts";
import { PUBLIC } from "#interface/http/access.ts";
import { succeed } from "#interface/http/envelope.ts";
import { defineRoute, success } from "#interface/http/route.ts";

export const listContractsRoute = defineRoute({
  operationId: "listContracts",
  method: "get",
  path: "/api/v1/contracts",
  tag: "Catalogue",
  summary: "List the contracts",
  description: "A contract is a versioned definition of what a pack may contain.",
  access: PUBLIC,
  window: null,
  responses: { 200: success(contractListSchema, "The contracts") },
  handler: (c) => {
    c.header("Cache-Control", "public, max-age=300");
    return succeed(c, 200, { items: listContracts() });
  },
});
