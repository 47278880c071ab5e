import { createRoute } from "@hono/zod-openapi";
import { CONTRACTS } from "../contract/catalogue/contracts.ts";
import { contractListSchema } from "../contract/schemas/catalogue.ts";
import { succeed } from "../http/envelope.ts";
import { defineRoute, operation, success } from "../http/operation.ts";

const route = createRoute({
  ...operation({
    operationId: "listContracts",
    summary: "List the contracts",
    description: "A contract is a versioned definition of what a pack may contain.",
    tag: "Catalogue",
    scope: null,
    family: null,
    needs: [],
  }),
  method: "get",
  path: "/api/v1/contracts",
  responses: { 200: success(contractListSchema, "The contracts") },
});

export const listContracts = defineRoute(route, (c) => {
  c.header("Cache-Control", "public, max-age=300");
  return succeed(c, 200, {
    items: CONTRACTS.map(({ contractId, title, sizes }) => ({
      contractId,
      title,
      sizeCount: sizes.length,
      groups: [...new Set(sizes.map((size) => size.group))],
    })),
  });
});
