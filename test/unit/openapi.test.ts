import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { ARTIFACT_DELIVERY, TEST_MESSAGE, WEBHOOK_EVENTS } from "#api/delivery-rules.ts";
import { ERRORS } from "#api/errors.ts";
import { type ApiDocument, operationsOf, webhooksOf } from "#interface/openapi/document-types.ts";

const document: ApiDocument = JSON.parse(readFileSync("schema/openapi.json", "utf8"));
const OPERATIONS = operationsOf(document).map((operation) => [operation.operationId, operation] as const);

const STATUS_OF_CODE = new Map(Object.entries(ERRORS).map(([code, { status }]) => [code, status]));

/** Error codes for paths and methods that do not exist. */
const OUTSIDE_OPERATIONS = ["ROUTE_NOT_FOUND", "METHOD_NOT_ALLOWED"];

it.each(OPERATIONS)(
  "API §7.3 %s names codes for every failure it declares, each under its own status",
  (_, operation) => {
    for (const [status, { content }] of Object.entries(operation.responses)) {
      if (Number(status) < 400) continue;
      const codes = Object.keys(content?.["application/json"]?.examples ?? {});
      expect(codes, status).not.toEqual([]);
      for (const code of codes) expect(STATUS_OF_CODE.get(code), code).toBe(Number(status));
    }
  },
);

it.each(OPERATIONS)("%s shows an example of each JSON body, whose schema has a name", (_, operation) => {
  for (const part of [operation.requestBody, ...Object.values(operation.responses)]) {
    const content = part?.content?.["application/json"];
    if (content === undefined) continue;
    expect(content.example ?? content.examples).toBeDefined();
    expect(content.schema.$ref).toMatch(/^#\/components\/schemas\/\w+$/);
  }
});

it("a file's compliance is never null, a prediction's may be; the reason is documented", () => {
  const { ArtifactFile, PredictedOutput } = document.components.schemas;
  const $ref = "#/components/schemas/Compliance";
  expect(ArtifactFile?.properties?.compliance).toMatchObject({ $ref });
  expect(PredictedOutput?.properties?.compliance?.anyOf).toEqual([{ $ref }, { type: "null" }]);
  expect(document.components.schemas.Compliance?.type).toBe("object");
});

it("the choices of a union have names", () => {
  for (const schema of Object.values(document.components.schemas)) {
    for (const choice of schema.oneOf ?? []) expect(choice.$ref).toBeDefined();
  }
});

it("the document describes each webhook message", () => {
  const told = webhooksOf(document).flatMap(({ requestBody }) => {
    const name = requestBody?.content["application/json"]?.schema.$ref?.split("/").at(-1) ?? "";
    const type = document.components.schemas[name]?.properties?.type;
    return type?.enum ?? [type?.const];
  });
  expect(told).toEqual([ARTIFACT_DELIVERY, TEST_MESSAGE, ...WEBHOOK_EVENTS]);
});

it("API §7.8 every error code belongs to an operation, so that all are documented", () => {
  const named = Object.keys(document.components.examples ?? {});
  expect([...new Set([...named, ...OUTSIDE_OPERATIONS])].sort()).toEqual(Object.keys(ERRORS).sort());
});

it("API §4.2 503 is declared only for previews, images, health and purchases", () => {
  const declaring = OPERATIONS.filter(([, { responses }]) => "503" in responses).map(([id]) => id);
  const ours = ["createCheckout", "getHealth", "getImage", "openBillingPortal", "setTopUp"];
  expect(declaring.sort()).toEqual([...ours, "createPreview", "getPreviewQuota"].sort());
});

it("every route with an effect that must happen once requires Idempotency-Key", () => {
  const withKey = OPERATIONS.filter(([, { parameters = [] }]) =>
    parameters.some((parameter) => parameter.name === "Idempotency-Key"),
  ).map(([operationId]) => operationId);
  expect(withKey.sort()).toEqual([
    "completeUpload",
    "createBrand",
    "createCheckout",
    "createJob",
    "createPreview",
    "createUpload",
    "createWorkspace",
    "importAsset",
  ]);
});
