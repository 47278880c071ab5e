import { z } from "zod";
import { MEMBER_DESCRIPTIONS } from "../openapi/member-descriptions.ts";

export type JsonSchema = Record<string, unknown>;

type Overridden = Parameters<NonNullable<NonNullable<Parameters<typeof z.toJSONSchema>[1]>["override"]>>[0];

/** The member's name where the path ends at one: `…, "properties", "sizeId"`. */
const memberOf = (path: readonly (string | number)[]): string | undefined =>
  path.at(-2) === "properties" ? String(path.at(-1)) : undefined;

/** Patterns of ids and times say what their format says, in a hundred characters that every agent reads. */
function describe({ jsonSchema, path }: Overridden): void {
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
  const member = memberOf(path);
  const description = member === undefined ? undefined : MEMBER_DESCRIPTIONS[member];
  if (description !== undefined) jsonSchema.description ??= description;
}

/** A schema as agents are shown it, each member with its description; `io` is the side that is meant. */
export function jsonSchemaOf(schema: z.ZodType, io: "input" | "output"): JsonSchema {
  const { $schema: _, ...shown } = z.toJSONSchema(schema, { io, unrepresentable: "any", override: describe });
  return shown;
}
