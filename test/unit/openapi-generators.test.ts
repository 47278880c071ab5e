import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { type ApiDocument, operationsOf, type Schema } from "#interface/openapi/document-types.ts";

const document: ApiDocument = JSON.parse(readFileSync("schema/openapi.json", "utf8"));
const { schemas } = document.components;

/** Every schema inside a schema, by path. Members of an `allOf` count as members of the enclosing schema. */
function partsOf(schema: Schema, path: string): (readonly [string, Schema])[] {
  const { properties = {}, items, additionalProperties, anyOf = [], oneOf = [], allOf = [] } = schema;
  const parts: (readonly [string, Schema])[] = [
    ...Object.entries(properties).map(([name, part]) => [`${path}.${name}`, part] as const),
    ...(items === undefined ? [] : [[`${path}[]`, items] as const]),
    ...(typeof additionalProperties === "object" ? [[`${path}{}`, additionalProperties] as const] : []),
    ...[...anyOf, ...oneOf].map((part, at) => [`${path}|${at}`, part] as const),
  ];
  const completed = allOf.flatMap((part) => partsOf(part, path));
  return [
    ...parts.flatMap(([where, part]) => [[where, part] as const, ...partsOf(part, where)]),
    ...completed,
  ];
}

const PARTS = Object.entries(schemas).flatMap(([name, schema]) => partsOf(schema, name));
const PARAMETERS = operationsOf(document).flatMap(({ operationId, parameters = [] }) =>
  parameters.map((parameter) => [`${operationId} ${parameter.name}`, parameter] as const),
);

it("nested objects have names, because some generators type unnamed objects as `any`", () => {
  const unnamed = PARTS.filter(([, { properties }]) => properties !== undefined).map(([where]) => where);
  expect(unnamed).toEqual([]);
});

it("a single possible value is a constant: `ok` distinguishes a success from an error", () => {
  const lists = PARTS.filter(([, schema]) => schema.enum?.length === 1).map(([where]) => where);
  expect(lists).toEqual([]);
  expect(schemas.ErrorEnvelope?.properties?.ok?.const).toBe(false);
  const envelopes = Object.entries(schemas).filter(([name]) => /(?<!^Error)Envelope$/.test(name));
  for (const [name, schema] of envelopes) expect(schema.properties?.ok?.const, name).toBe(true);
});

it("every member and every named schema has a description", () => {
  const members = Object.entries(schemas).flatMap(([name, { description, properties = {} }]) => [
    ...(description ? [] : [name]),
    ...Object.entries(properties).flatMap(([member, part]) =>
      part.description ? [] : [`${name}.${member}`],
    ),
  ]);
  expect(members).toEqual([]);
});

it("every parameter has a description and an example", () => {
  const silent = PARAMETERS.filter(
    ([, { description, example, schema }]) => !description || (example ?? schema.example) === undefined,
  ).map(([where]) => where);
  expect(silent).toEqual([]);
});

it("a job's status determines whether it has an artifact or a failure", () => {
  const { oneOf = [], discriminator } = schemas.Job ?? {};
  expect(discriminator?.propertyName).toBe("status");
  const stated = Object.entries(discriminator?.mapping ?? {}).map(([status, $ref]) => {
    expect(oneOf).toContainEqual({ $ref });
    const { properties = {} } = schemas[$ref.split("/").at(-1) ?? ""] ?? {};
    return [status, properties.status?.const, properties.artifactId?.type, properties.failure?.type];
  });
  expect(stated).toEqual([
    ["queued", "queued", "null", "null"],
    ["running", "running", "null", "null"],
    ["succeeded", "succeeded", "string", "null"],
    ["failed", "failed", "null", undefined],
    ["canceled", "canceled", "null", "null"],
  ]);
});

it("the output format of a pack has a named schema", () => {
  expect(schemas.PackRequest?.properties?.outputFormat?.$ref).toBe("#/components/schemas/OutputFormat");
});

it("the document names a contact", () => {
  expect(document.info.contact?.name).toBeTruthy();
});
