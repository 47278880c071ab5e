import { createRoute, z } from "@hono/zod-openapi";
import { sourcesOf } from "../contract/catalogue/contract-sources.ts";
import { findContract } from "../contract/catalogue/contracts.ts";
import { refuse } from "../contract/errors.ts";
import { CREDITS_PER_SIZE } from "../contract/prices.ts";
import { contractSchema } from "../contract/schemas/catalogue.ts";
import { ifNoneMatchHeader } from "../http/download-documentation.ts";
import { RefusedRequest, succeed } from "../http/envelope.ts";
import { isNoneMatchHit } from "../http/etag.ts";
import { defineRoute, failures, operation, success } from "../http/operation.ts";
import { sha256Hex } from "../platform/hashing.ts";

const route = createRoute({
  ...operation({
    operationId: "getContract",
    summary: "Read a contract",
    description:
      "Its sizes with pixels, byte cap, safe area and animation limits, its formats, copy fields and prices, and " +
      "where each figure was read. A released contract never changes.",
    tag: "Catalogue",
    scope: null,
    family: null,
    needs: [],
  }),
  method: "get",
  path: "/api/v1/contracts/{contractId}",
  request: {
    params: z.object({
      contractId: z.string().openapi({ param: { name: "contractId", in: "path" }, example: "display.v1" }),
    }),
    headers: z.object(ifNoneMatchHeader),
  },
  responses: {
    200: success(contractSchema, "The contract"),
    304: { description: "The caller holds this very contract" },
    ...failures(404),
  },
});

export const getContract = defineRoute(route, async (c) => {
  const contract = findContract(c.req.valid("param").contractId);
  if (contract === undefined) {
    throw new RefusedRequest(refuse("CONTRACT_NOT_FOUND", "There is no contract with this id."));
  }
  const shown = { ...contract, prices: CREDITS_PER_SIZE, sources: sourcesOf(contract) };
  // Weak: the envelope's request id differs from answer to answer, the contract does not.
  const etag = `W/"${await sha256Hex(JSON.stringify(shown))}"`;
  c.header("ETag", etag);
  c.header("Cache-Control", "public, max-age=300");
  if (isNoneMatchHit(c.req.header("If-None-Match"), etag)) return c.body(null, 304);
  return succeed(c, 200, shown);
});
