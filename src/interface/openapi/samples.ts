import type { ApiDocument, Schema } from "./document-types.ts";

/** Schemas are never this deep, except in a cycle. */
const DEPTH_MAX = 20;

const BY_FORMAT: Readonly<Record<string, string>> = {
  uuid: "0199f0c4-7b6e-7c3a-9b0e-2f5d1c8a4e71",
  "date-time": "2026-06-18T12:00:00.000Z",
  date: "2026-06-18",
  uri: "https://packs.example/",
};

const SHA256 = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

/** A sample value: the schema's example, or one built from its parts. */
export function sampleOf(schema: Schema, schemas: ApiDocument["components"]["schemas"], depth = 0): unknown {
  if (depth > DEPTH_MAX) throw new Error("a schema is nested too deeply to make an example of it");
  const inner = (part: Schema): unknown => sampleOf(part, schemas, depth + 1);
  if (schema.example !== undefined) return schema.example;
  if (schema.$ref !== undefined) {
    const target = schemas[schema.$ref.replace("#/components/schemas/", "")];
    if (target === undefined) throw new Error(`the document has no ${schema.$ref}`);
    return inner(target);
  }
  if (schema.default !== undefined) return schema.default;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return inner(choices.find((choice) => choice.type !== "null") ?? {});
  if (schema.allOf !== undefined) return mergeSamples(schema.allOf.map(inner));
  return sampleOfType(schema, inner);
}

/** Merges samples of an `allOf` if they are objects; otherwise the first one has the value. */
function mergeSamples(samples: readonly unknown[]): unknown {
  const objects = samples.filter((sample) => typeof sample === "object" && sample !== null);
  return objects.length === 0 ? samples[0] : Object.assign({}, ...objects);
}

function sampleOfType(schema: Schema, inner: (part: Schema) => unknown): unknown {
  const type = Array.isArray(schema.type) ? schema.type.find((name) => name !== "null") : schema.type;
  switch (type) {
    case "object":
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, part]) => [name, inner(part)]),
      );
    case "array":
      return [inner(schema.items ?? {})];
    case "integer":
    case "number":
      return schema.minimum ?? 1;
    case "boolean":
      return true;
    case "string":
      if (schema.pattern === "^[0-9a-f]{64}$") return SHA256;
      if (schema.pattern !== undefined) throw new Error(`an example is missing for ${schema.pattern}`);
      return textOf(schema.format);
    default:
      return null;
  }
}

function textOf(format: string | undefined): string {
  const text = BY_FORMAT[format ?? ""];
  if (text === undefined) throw new Error("a text in a schema has neither an example nor a known format");
  return text;
}
