import type { ApiDocument, Schema } from "./document-types.ts";

/**
 * Names the objects inside other objects. Generators of typed clients create types for named schemas; several, such as
 * those for Python and Go, type anything else as `any`.
 */

/** Names of parts that several schemas share. Other parts are named after their schema and member. */
const SHARED_NAMES: Readonly<Record<string, string>> = {
  account: "AccountSummary",
  assetIds: "SlotAssets",
  budget: "KeyBudget",
  checksum: "Checksum",
  expectedCost: "Cost",
  prices: "Prices",
  progress: "Progress",
  quota: "SubscriptionQuota",
  rejection: "Rejection",
};

const pascal = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/** Name of an item of a list: `files` contains a `File`. */
const singular = (name: string): string => name.replace(/(?<!s)s$/, "");

const isObject = (schema: Schema): boolean =>
  schema.properties !== undefined && [schema.type].flat().includes("object");

/** A part without description and example. Parts that are identical in this form share a name. */
function formOf({ description: _description, example: _example, ...schema }: Schema): string {
  return JSON.stringify({ ...schema, type: "object" });
}

/** Moves every inner object of the document's schemas to a named schema. */
export function namePartsOf({ components }: ApiDocument): void {
  const { schemas } = components;

  function add(name: string, schema: Schema): string {
    const known = schemas[name];
    if (known === undefined) {
      // Reserve the name before its parts are named.
      schemas[name] = schema;
      schemas[name] = withNamedParts(schema, name);
      forms.set(name, formOf(schema));
      return name;
    }
    if (forms.get(name) !== formOf(schema)) throw new Error(`two different schemas would be called ${name}`);
    return name;
  }

  /** The part, or a reference to it if it is an object. */
  function named(part: Schema, parent: string, member: string): Schema {
    if (!isObject(part)) return withNamedParts(part, parent, member);
    const { description, ...rest } = part;
    // An example of null belongs to the member, not to the object.
    const { example: _null, ...withoutExample } = rest;
    const schema = rest.example === null ? withoutExample : rest;
    const isNullable = Array.isArray(schema.type) && schema.type.includes("null");
    const shared = SHARED_NAMES[member];
    const isShared = shared !== undefined && [undefined, formOf(part)].includes(forms.get(shared));
    const name = add(isShared ? shared : `${parent}${pascal(member)}`, { ...schema, type: "object" });
    const $ref = `#/components/schemas/${name}`;
    const words = description === undefined ? {} : { description };
    return isNullable ? { anyOf: [{ $ref }, { type: "null" }], ...words } : { $ref, ...words };
  }

  function withNamedParts(schema: Schema, parent: string, member = ""): Schema {
    const { properties, items, additionalProperties, anyOf, oneOf } = schema;
    const inner = (part: Schema) => named(part, parent, member);
    return {
      ...schema,
      ...(properties && {
        properties: Object.fromEntries(
          Object.entries(properties).map(([name, part]) => [name, named(part, parent, name)]),
        ),
      }),
      ...(items && { items: named(items, parent, singular(member) || "Item") }),
      ...(typeof additionalProperties === "object" && { additionalProperties: inner(additionalProperties) }),
      ...(anyOf && { anyOf: anyOf.map(inner) }),
      ...(oneOf && { oneOf: oneOf.map(inner) }),
    };
  }

  const forms = new Map<string, string>();
  for (const [name, schema] of Object.entries(schemas)) schemas[name] = withNamedParts(schema, name);
}
