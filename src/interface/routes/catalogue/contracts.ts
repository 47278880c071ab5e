import { z } from "@hono/zod-openapi";
import { CREDITS_PER_SIZE } from "#api/prices.ts";
import { contractListSchema, contractSchema } from "#api/schemas/catalogue.ts";
import { findContract, listContracts, offered, sourcesOf } from "#catalogue/contracts.ts";
import { PUBLIC } from "#interface/http/access.ts";
import { isNoneMatchHit } from "#interface/http/downloads.ts";
import { refused, succeed } from "#interface/http/envelope.ts";
import { offersMp4 } from "#interface/http/operation-deps.ts";
import { defineRoute, success } from "#interface/http/route.ts";
import { sha256Hex } from "#platform/crypto/hashing.ts";

const listContractsRoute = defineRoute({
  operationId: "listContracts",
  route: "GET /api/v1/contracts",
  summary: "List contracts",
  description: "A contract is a versioned definition of what a pack may contain.",
  access: PUBLIC,
  responses: { 200: success(contractListSchema, "The contracts") },
  handler: (c) => {
    c.header("Cache-Control", "public, max-age=300");
    return succeed(c, 200, { items: listContracts() });
  },
});

const getContractRoute = defineRoute({
  operationId: "getContract",
  route: "GET /api/v1/contracts/{contractId}",
  summary: "Read a contract",
  description:
    "Its sizes with pixels, byte cap, safe area and animation limits; its formats, text fields and prices; and the " +
    "source of each value. A published contract never changes, except that an operator may turn off `mp4`.",
  access: PUBLIC,
  errors: ["CONTRACT_NOT_FOUND"],
  params: z.object({
    contractId: z.string().openapi({ example: "display.v1" }),
  }),
  ifNoneMatch: "`ETag` of an earlier response. Returns 304 while it matches.",
  responses: {
    200: success(contractSchema, "The contract"),
    304: { description: "The caller has the current contract" },
  },
  handler: async (c, { param }) => {
    const released = findContract(param.contractId);
    if (released === undefined) {
      throw refused("CONTRACT_NOT_FOUND", "There is no contract with this id.");
    }
    const contract = offered(released, offersMp4(c));
    const shown = { ...contract, prices: CREDITS_PER_SIZE, sources: sourcesOf(contract) };
    // Weak, because the envelope's request id differs between responses and the contract does not.
    const etag = `W/"${await sha256Hex(JSON.stringify(shown))}"`;
    c.header("ETag", etag);
    c.header("Cache-Control", "public, max-age=300");
    if (isNoneMatchHit(c.req.header("If-None-Match"), etag)) return c.body(null, 304);
    return succeed(c, 200, shown);
  },
});

export const routes = [listContractsRoute, getContractRoute];
