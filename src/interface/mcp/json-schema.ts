import { z } from "zod";
import { MEMBER_DESCRIPTIONS } from "../openapi/member-descriptions.ts";

export type JsonSchema = Record<string, unknown>;

type Overridden = Parameters<NonNullable<NonNullable<Parameters<typeof z.toJSONSchema>[1]>["override"]>>[0];

/** The name of a top-level member; undefined for the schema as a whole, and for what is within a member. */
const memberOf = (path: Overridden["path"]): string | undefined =>
  path.length === 2 && path[0] === "properties" ? String(path[1]) : undefined;

/** Bounds that every whole number of a program has say nothing. */
function dropIntegerBounds(jsonSchema: Overridden["jsonSchema"]): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}

/** What is shown is read by each agent at each conversation: no pattern beside a format that says the same. */
function shorten({ jsonSchema }: Overridden): void {
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
  dropIntegerBounds(jsonSchema);
}

function describe({ jsonSchema, path }: Overridden): void {
  const member = memberOf(path);
  const description = member === undefined ? undefined : MEMBER_DESCRIPTIONS[member];
  if (description !== undefined) jsonSchema.description ??= description;
}

/**
 * Leaves of an answer its members with their types. What is within them an agent sees in the answer itself, and answers
 * may get more members (API §9.4).
 */
function outline({ jsonSchema, path }: Overridden): void {
  delete jsonSchema.additionalProperties;
  delete jsonSchema.required;
  if (path.length === 0) return;
  for (const name of ["properties", "items", "enum", "format", "minimum", "pattern"] as const) {
    delete jsonSchema[name];
  }
}

/**
 * A schema as agents are shown it, where each byte is read at the start of each conversation: arguments in full with a
 * description each, answers in outline. `io` is the side that is meant.
 */
export function jsonSchemaOf(schema: z.ZodType, io: "input" | "output"): JsonSchema {
  const override = (overridden: Overridden) => {
    shorten(overridden);
    if (io === "input") describe(overridden);
    else outline(overridden);
  };
  const { $schema: _, ...shown } = z.toJSONSchema(schema, { io, unrepresentable: "any", override });
  return shown;
}
