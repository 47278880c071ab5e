import { z } from "zod";
import { MEMBER_DESCRIPTIONS } from "../openapi/member-descriptions.ts";

export type JsonSchema = Record<string, unknown>;

type Overridden = Parameters<NonNullable<NonNullable<Parameters<typeof z.toJSONSchema>[1]>["override"]>>[0];

/** Name of a top-level member; undefined for the whole schema and for nested members. */
const memberOf = (path: Overridden["path"]): string | undefined =>
  path.length === 2 && path[0] === "properties" ? String(path[1]) : undefined;

/** Drops zod's default bounds of integers. */
function dropIntegerBounds(jsonSchema: Overridden["jsonSchema"]): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}

/** Shortens the schema, which agents read in each conversation. Drops a pattern next to a format, which implies it. */
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
 * Reduces an answer's schema to its members and their types. Agents see the details in the answer, and answers may gain
 * members (API §9.4).
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
 * The JSON schema that agents see. Kept short because it is read in each conversation: arguments in full with a
 * description each, answers in outline.
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
