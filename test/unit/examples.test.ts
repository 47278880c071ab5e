import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { LIMITS, ROUTE_FAMILIES } from "#api/limits.ts";
import { ARTIFACT_EXAMPLE, COMPLIANCE_EXAMPLE } from "#api/schemas/artifact.ts";
import { CONTRACTS } from "#catalogue/contracts.ts";
import { SIZES } from "#catalogue/sizes.ts";
import { ERROR_EXAMPLES } from "#interface/openapi/error-examples.ts";
import { evaluateCompliance } from "#renderer/compliance.ts";

/**
 * The OpenAPI document rejects the same requests as the service, and the figures in its examples are right. `redocly
 * lint` (redocly.yaml) checks that each example matches its schema.
 */

type Json = null | boolean | number | string | readonly Json[] | JsonObject;
interface JsonObject {
  readonly [name: string]: Json;
}

/** Rewrites references for JSON Schema, where definitions are in `$defs`. */
const document: JsonObject = JSON.parse(
  readFileSync("schema/openapi.json", "utf8").replaceAll("#/components/schemas/", "#/$defs/"),
);

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const memberOf = (value: Json | undefined, ...names: readonly string[]): JsonObject =>
  names.reduce<JsonObject>(
    (at, name) => {
      const next = at[name];
      return isObject(next) ? next : {};
    },
    isObject(value) ? value : {},
  );

const definitions = memberOf(document, "components", "schemas");

it.each([
  ["CreateApiKey", { name: "Build", scopes: ["jobs:read"], budget: {} }],
  ["UpdateApiKey", {}],
  ["UpdateApiKey", { budget: {} }],
  ["CreateShareComment", { name: "Grace" }],
  ["CreateShareComment", { name: "Grace", text: "" }],
])("the OpenAPI document rejects what the service rejects: %s %j", (name, body) => {
  const schema = z.fromJSONSchema(
    JSON.parse(JSON.stringify({ $ref: `#/$defs/${name}`, $defs: definitions })),
  );
  expect(schema.safeParse(body).success).toBe(false);
});

it("no pattern has a character class whose meaning depends on the regular expression engine", () => {
  expect(JSON.stringify(document).match(/"pattern":"[^"]*\\\\[dws]/gi)).toBeNull();
});

describe("the figures in examples match the service", () => {
  it("a file's verdict follows from its size's rules, and the pack's total is that of its files", () => {
    const [file] = ARTIFACT_EXAMPLE.files;
    const size = SIZES.find(({ sizeId }) => sizeId === file?.sizeId);
    if (file === undefined || size === undefined) throw new Error("no file, or none of the catalogue");
    const { byteLength, layout, width, height } = file;
    const report = evaluateCompliance(
      {
        role: "primary",
        contentType: "image/png",
        format: "png",
        extension: "png",
        animation: null,
        bytes: new Uint8Array(byteLength),
        width,
        height,
      },
      size,
      { family: "campaign", shape: "landscape", elements: [], crops: [], adjustments: [] },
    );
    expect(layout.family).toBe("campaign");
    expect(report).toEqual(COMPLIANCE_EXAMPLE);
    expect(ARTIFACT_EXAMPLE.manifest.totalBytes).toBe(byteLength);
    expect(ARTIFACT_EXAMPLE.manifest.engineVersion).toMatch(/^\d+\.\d+\.\d+$/);
  });

  it("a contract's count and groups match the catalogue", () => {
    const summary = memberOf(definitions, "ContractSummary", "properties");
    const contract = CONTRACTS.find(
      ({ contractId }) => contractId === memberOf(summary, "contractId").example,
    );
    expect(memberOf(summary, "title").example).toBe(contract?.title);
    expect(memberOf(summary, "sizeCount").example).toBe(contract?.sizes.length);
    expect(memberOf(summary, "groups").example).toEqual([
      ...new Set(contract?.sizes.map(({ group }) => group)),
    ]);
  });

  it("a rate-limit error has the service's limits", () => {
    const { RATE_LIMITED, ASSET_LIMIT_REACHED, MEMBER_LIMIT_REACHED } = ERROR_EXAMPLES;
    expect(RATE_LIMITED.details?.limit).toBe(ROUTE_FAMILIES.jobs);
    expect(ASSET_LIMIT_REACHED.message).toContain(` ${LIMITS.assetsPerWorkspaceMax.standard} `);
    expect(MEMBER_LIMIT_REACHED.message).toContain(` ${LIMITS.membersPerWorkspaceMax} `);
  });
});
