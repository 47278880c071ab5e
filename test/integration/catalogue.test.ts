import { describe, expect, it } from "vitest";
import { CONTRACTS } from "../../src/contract/catalogue/contracts.ts";
import { contractListSchema, contractSchema } from "../../src/contract/schemas/catalogue.ts";
import { call } from "../support/workspace.ts";

const CONTRACT_IDS = CONTRACTS.map((contract) => contract.contractId);

describe("the catalogue needs no key and may be cached", () => {
  it("lists every contract", async () => {
    const answer = await call("GET", "/api/v1/contracts");
    expect(answer.status).toBe(200);
    const { items } = contractListSchema.strict().parse(answer.body.data);
    expect(items.map((item) => item.contractId)).toEqual(CONTRACT_IDS);
    expect(answer.headers.get("Cache-Control")).toMatch(/^public/);
  });

  it.each(CONTRACT_IDS)("shows %s with its prices and the source of every figure", async (contractId) => {
    const answer = await call("GET", `/api/v1/contracts/${contractId}`);
    expect(answer.status).toBe(200);
    const contract = contractSchema.strict().parse(answer.body.data);
    expect(contract.prices).toEqual({ static: 1, animated: 3 });
    const named = contract.sizes.flatMap((size) => [
      ...size.sourceIds,
      ...[size.byteCapSourceId, size.safeAreaSourceId, size.borderSourceId].filter((id) => id !== null),
      ...Object.entries(size.animation).flatMap(([member, value]) =>
        member.endsWith("SourceId") && typeof value === "string" ? [value] : [],
      ),
    ]);
    expect(new Set(contract.sources.map((source) => source.sourceId))).toEqual(new Set(named));
  });

  it("304: a contract that is held already is not sent again", async () => {
    const first = await call("GET", "/api/v1/contracts/display.v1");
    const etag = first.headers.get("ETag") ?? "";
    const again = await call("GET", "/api/v1/contracts/display.v1", { headers: { "If-None-Match": etag } });
    expect([again.status, again.bytes.byteLength]).toEqual([304, 0]);
    const other = await call("GET", "/api/v1/contracts/social.v1", { headers: { "If-None-Match": etag } });
    expect(other.status).toBe(200);
  });

  it("404 CONTRACT_NOT_FOUND, and that answer is not cached", async () => {
    const answer = await call("GET", "/api/v1/contracts/display.v0");
    expect([answer.status, answer.body.error.code]).toEqual([404, "CONTRACT_NOT_FOUND"]);
    expect(answer.headers.get("Cache-Control")).toBe("private, no-store");
  });
});
