/** The parts of schema/openapi.json that the reference and the collection show, read with their types. */
import { readFile } from "node:fs/promises";
import { z } from "zod";
import { inRoot } from "../../local/paths.ts";

const reference = z.object({ $ref: z.string(), description: z.string().optional() });

/** A schema as the document writes it: a reference with words of its own, or a shape. */
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

/** An operation with where it is called and its parameters resolved. */
export interface Operation extends Omit<z.infer<typeof operation>, "parameters"> {
  /** In capitals. */
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** True for a message that the service sends; `path` is then its type. */
  readonly isMessage: boolean;
}

const nameOf = (ref: string): string => ref.split("/").at(-1) ?? ref;

/** The schema that a reference names, under the reference's own words; any other schema as it is. */
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

/** Every operation in the document's order, then the messages to webhooks. */
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

/** A document, read with its types. Throws where it has a shape that nothing here shows. */
export const parseApiDescription = (document: unknown): ApiDescription => description.parse(document);

/** The committed document. */
export const readApiDescription = async (): Promise<ApiDescription> =>
  parseApiDescription(JSON.parse(await readFile(inRoot("schema/openapi.json"), "utf8")));
