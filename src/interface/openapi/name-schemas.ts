import { DELIVERY_FAILURE_CODES, DELIVERY_STATUSES, WEBHOOK_EVENTS } from "#api/delivery-rules.ts";
import { ERRORS } from "#api/errors.ts";
import { ARTIFACT_STATUSES, FILE_CONTENT_TYPES, FILE_ROLES } from "#api/schemas/artifact.ts";
import { ASSET_STATUSES, REJECTION_CODES } from "#api/schemas/asset.ts";
import { motionSchema, outputFormatSchema } from "#api/schemas/catalogue.ts";
import { JOB_FAILURE_CODES, JOB_STATUSES } from "#api/schemas/job.ts";
import { elementRoleSchema } from "#api/schemas/layout.ts";
import { APPROVALS } from "#api/schemas/pack-state.ts";
import { SCOPES } from "#api/scopes.ts";
import { MIME_TYPES, SLOT_IDS } from "#api/slots.ts";
import { BUTTON_STYLES, LOOK_IDS } from "#catalogue/looks.ts";
import { type ApiDocument, operationsOf, type Schema, webhooksOf } from "./document-types.ts";
import { namePartsOf } from "./name-parts.ts";
import { splitJobByStatus } from "./split-job-by-status.ts";

/** Names and simplifies the schemas of a generated document, so that code generators produce good types. */

/** Enums that occur in many places, or that programs want to refer to. */
const NAMED_VALUES: Readonly<Record<string, readonly string[]>> = {
  Approval: APPROVALS,
  ArtifactStatus: ARTIFACT_STATUSES,
  AssetStatus: ASSET_STATUSES,
  ButtonStyle: BUTTON_STYLES,
  DeliveryFailureCode: DELIVERY_FAILURE_CODES,
  DeliveryStatus: DELIVERY_STATUSES,
  ElementRole: elementRoleSchema.options,
  ErrorCode: Object.keys(ERRORS),
  FileContentType: FILE_CONTENT_TYPES,
  FileRole: FILE_ROLES,
  JobFailureCode: JOB_FAILURE_CODES,
  JobStatus: JOB_STATUSES,
  Look: LOOK_IDS,
  MimeType: MIME_TYPES,
  Motion: motionSchema.options,
  OutputFormat: outputFormatSchema.options,
  RejectionCode: REJECTION_CODES,
  Scope: SCOPES,
  SlotId: SLOT_IDS,
  WebhookEvent: WEBHOOK_EVENTS,
};

const NAMES_BY_VALUES = new Map(
  Object.entries(NAMED_VALUES).map(([name, values]) => [JSON.stringify(values), name]),
);

const referenceTo = (name: string): string => `#/components/schemas/${name}`;

/** The members of a union of a referenced schema and null. */
const orNull = ($ref: string): Schema[] => [{ $ref }, { type: "null" }];

const withEach = (schemas: Readonly<Record<string, Schema>>): Record<string, Schema> =>
  Object.fromEntries(Object.entries(schemas).map(([name, part]) => [name, tidied(part)]));

/** The schema with its parts replaced by references where possible, innermost first. */
function tidied(schema: Schema): Schema {
  return withConstant(withNamedValues(withPlainReference(withWholeDiscriminator(withTidyParts(schema)))));
}

/** The generator writes a literal as an enum of one value, which clients type as any string or number. */
function withConstant(schema: Schema): Schema {
  const { enum: values, ...rest } = schema;
  return values?.length === 1 ? { ...rest, const: values[0] } : schema;
}

/** Keep a discriminator only if every choice of the union has a value for it. */
function withWholeDiscriminator(schema: Schema): Schema {
  const { discriminator, ...rest } = schema;
  const told = Object.keys(discriminator?.mapping ?? {}).length;
  return told < (schema.oneOf ?? []).length ? rest : schema;
}

function withTidyParts(schema: Schema): Schema {
  const { properties, items, allOf, anyOf, oneOf, additionalProperties } = schema;
  return {
    ...schema,
    ...(properties && { properties: withEach(properties) }),
    ...(items && { items: tidied(items) }),
    ...(allOf && { allOf: allOf.map(tidied) }),
    ...(anyOf && { anyOf: anyOf.map(tidied) }),
    ...(oneOf && { oneOf: oneOf.map(tidied) }),
    ...(typeof additionalProperties === "object" && { additionalProperties: tidied(additionalProperties) }),
  };
}

/**
 * The generator writes a reference with a description as an `allOf` of the two. That schema rejects null, even if the
 * part with the description allows it. OpenAPI 3.1 allows a description next to a reference.
 */
function withPlainReference(schema: Schema): Schema {
  const [target, words, ...others] = schema.allOf ?? [];
  if (target?.$ref === undefined || words === undefined || others.length > 0) return schema;
  const { type, ...said } = words;
  const isNullable = Array.isArray(type) && type.includes("null");
  return isNullable ? { anyOf: orNull(target.$ref), ...said } : { $ref: target.$ref, ...said };
}

function withNamedValues(schema: Schema): Schema {
  if (schema.enum === undefined) return schema;
  const { enum: values, type: _type, ...said } = schema;
  const name = NAMES_BY_VALUES.get(JSON.stringify(values.filter((value) => value !== null)));
  if (name === undefined) return schema;
  return values.includes(null)
    ? { anyOf: orNull(referenceTo(name)), ...said }
    : { $ref: referenceTo(name), ...said };
}

/** Names an envelope after its resource: `Job` has `JobEnvelope`. */
function nameEnvelopes(document: ApiDocument): void {
  const { schemas } = document.components;
  for (const response of operationsOf(document).flatMap(({ responses }) => Object.values(responses))) {
    for (const content of Object.values(response.content ?? {})) {
      const held = content.schema.properties?.data?.$ref?.split("/").at(-1);
      if (held === undefined) continue;
      schemas[`${held}Envelope`] ??= content.schema;
      content.schema = { $ref: referenceTo(`${held}Envelope`) };
    }
  }
}

/** Names and simplifies every schema of the document. */
export function nameSchemas(document: ApiDocument): void {
  const { components } = document;
  const values = Object.entries(NAMED_VALUES).map(([name, list]): [string, Schema] => [
    name,
    // An existing schema keeps its name; it must not refer to itself.
    components.schemas[name] ?? { type: "string", enum: [...list] },
  ]);
  components.schemas = { ...withEach(components.schemas), ...Object.fromEntries(values) };
  for (const operation of [...operationsOf(document), ...webhooksOf(document)]) {
    for (const parameter of operation.parameters ?? []) parameter.schema = tidied(parameter.schema);
    const contents = [operation.requestBody, ...Object.values(operation.responses)].flatMap((part) =>
      Object.values(part?.content ?? {}),
    );
    for (const content of contents) content.schema = tidied(content.schema);
  }
  nameEnvelopes(document);
  namePartsOf(document);
  splitJobByStatus(document);
  splitComment(document);
}

/** Splits the schema `CreateShareComment` in two, since it requires a verdict or a text. */
function splitComment({ components: { schemas } }: ApiDocument): void {
  const { example, description, ...whole } = schemas.CreateShareComment ?? {};
  const { required = [], properties: { text, ...others } = {} } = whole;
  if (text === undefined) throw new Error("the document has no CreateShareComment");
  schemas.ShareVerdict = {
    ...whole,
    description: "A verdict, with or without text.",
    required: [...required, "verdict"],
  };
  schemas.ShareRemark = {
    ...whole,
    description: "A text, with or without a verdict.",
    properties: { ...others, text: { ...text, minLength: 1 } },
    required: [...required, "text"],
  };
  const refs = ["ShareVerdict", "ShareRemark"].map((name) => ({ $ref: `#/components/schemas/${name}` }));
  schemas.CreateShareComment = { anyOf: refs, example, ...(description !== undefined && { description }) };
}
