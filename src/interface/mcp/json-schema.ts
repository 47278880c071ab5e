import { z } from "zod";
import { MEMBER_DESCRIPTIONS } from "../openapi/member-descriptions.ts";

export type JsonSchema = Record<string, unknown>;

type Overridden = Parameters<NonNullable<NonNullable<Parameters<typeof z.toJSONSchema>[1]>["override"]>>[0];

/** The member's name where the path ends at one: `…, "properties", "sizeId"`. */
const memberOf = (path: readonly (string | number)[]): string | undefined =>
  path.at(-2) === "properties" ? String(path.at(-1)) : undefined;

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

/** A schema as agents are shown it, arguments with a description each; `io` is the side that is meant. */
export function jsonSchemaOf(schema: z.ZodType, io: "input" | "output"): JsonSchema {
  const override = (overridden: Overridden) => {
    shorten(overridden);
    if (io === "input") describe(overridden);
    // Members may be added to answers (API §9.4).
    else delete overridden.jsonSchema.additionalProperties;
  };
  const { $schema: _, ...shown } = z.toJSONSchema(schema, { io, unrepresentable: "any", override });
  return shown;
}
