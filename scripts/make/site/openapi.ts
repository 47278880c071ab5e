/** Types and parser for the parts of schema/openapi.json that the reference and the Postman collection use. */
import { readFile } from "node:fs/promises";
import { z } from "zod";
import { inRoot } from "../../local/paths.ts";

const reference = z.object({ $ref: z.string(), description: z.string().optional() });

/** A schema in the document: a reference, perhaps with its own description, or a definition. */
const schema = z.object({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  format: z.string().optional(),
  description: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
  const: z.unknown().optional(),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  minItems: z.number().optional(),
  maxItems: z.number().optional(),
  required: z.array(z.string()).optional(),
  example: z.unknown().optional(),
  get properties() {
    return z.optional(z.record(z.string(), schema));
  },
  get items() {
    return z.optional(schema);
  },
  get oneOf() {
    return z.optional(z.array(schema));
  },
  get anyOf() {
    return z.optional(z.array(schema));
  },
});

const parameter = z.object({
  name: z.string(),
  in: z.enum(["path", "query", "header", "cookie"]),
  required: z.boolean().optional(),
  description: z.string().optional(),
  schema,
  example: z.unknown().optional(),
});

const media = z.object({
  schema: schema.optional(),
  example: z.unknown().optional(),
  examples: z.record(z.string(), z.union([reference, z.object({ value: z.unknown() })])).optional(),
});

const response = z.object({
  description: z.string(),
  content: z.record(z.string(), media).optional(),
});

const operation = z.object({
  operationId: z.string(),
  summary: z.string(),
  description: z.string().default(""),
  tags: z.array(z.string()).min(1),
  security: z.array(z.record(z.string(), z.array(z.string()))).optional(),
  parameters: z.array(z.union([parameter, reference])).optional(),
  requestBody: z
    .object({ required: z.boolean().optional(), content: z.record(z.string(), media) })
    .optional(),
  responses: z.record(z.string(), response),
});

const pathItem = z.partialRecord(z.enum(["get", "put", "post", "delete", "patch"]), operation);

const description = z.object({
  info: z.object({ title: z.string(), version: z.string(), description: z.string() }),
  tags: z.array(z.object({ name: z.string(), description: z.string() })),
  paths: z.record(z.string(), pathItem),
  webhooks: z.record(z.string(), pathItem).optional(),
  components: z.object({
    schemas: z.record(z.string(), schema),
    parameters: z.record(z.string(), parameter).default({}),
  }),
});

export type Schema = z.infer<typeof schema>;
type Parameter = z.infer<typeof parameter>;
export type Media = z.infer<typeof media>;
export type ApiDescription = z.infer<typeof description>;

/** An operation with its method, path and resolved parameters. */
export interface Operation extends Omit<z.infer<typeof operation>, "parameters"> {
  /** Upper case, such as `GET`. */
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** Whether it is a message that the service sends to webhooks; `path` is then the message's type. */
  readonly isMessage: boolean;
}

const nameOf = (ref: string): string => ref.split("/").at(-1) ?? ref;

/**
 * Resolves a reference; a description beside the reference replaces that of the target. Returns any other schema
 * unchanged.
 */
export function resolveSchema(api: ApiDescription, given: Schema): Schema {
  if (given.$ref === undefined) return given;
  const named = api.components.schemas[nameOf(given.$ref)];
  if (named === undefined) throw new Error(`the description lacks ${given.$ref}`);
  return { ...named, ...(given.description === undefined ? {} : { description: given.description }) };
}

function resolveParameter(api: ApiDescription, given: Parameter | z.infer<typeof reference>): Parameter {
  const named = "$ref" in given ? api.components.parameters[nameOf(given.$ref)] : given;
  if (named === undefined) throw new Error(`the description lacks ${JSON.stringify(given)}`);
  return named;
}

/** All operations in document order, then the webhook messages. */
export function operationsOf(api: ApiDescription): readonly Operation[] {
  const listed = (paths: ApiDescription["paths"], isMessage: boolean): Operation[] =>
    Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, each]) => ({
        ...each,
        method: method.toUpperCase(),
        path,
        parameters: (each.parameters ?? []).map((given) => resolveParameter(api, given)),
        isMessage,
      })),
    );
  return [...listed(api.paths, false), ...listed(api.webhooks ?? {}, true)];
}

/** Parses an OpenAPI document. Throws for a shape that the types above do not cover. */
export const parseApiDescription = (document: unknown): ApiDescription => description.parse(document);

/** Reads schema/openapi.json. */
export const readApiDescription = async (): Promise<ApiDescription> =>
  parseApiDescription(JSON.parse(await readFile(inRoot("schema/openapi.json"), "utf8")));
