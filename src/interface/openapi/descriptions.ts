import type { ApiDocument, Schema } from "./document-types.ts";
import { MEMBER_DESCRIPTIONS } from "./member-descriptions.ts";
import { SCHEMA_DESCRIPTIONS } from "./schema-descriptions.ts";

const targetOf = (schemas: Readonly<Record<string, Schema>>, part: Schema): Schema | undefined =>
  part.$ref === undefined ? undefined : schemas[part.$ref.split("/").at(-1) ?? ""];

/** A description made from a schema's name: `JobEnvelope` holds a job, `QueuedJob` is one of a status. */
function describeName(name: string): string | undefined {
  if (name.endsWith("Envelope")) return `The answer with ${name.slice(0, -"Envelope".length) || "the data"}.`;
  const status = /^(Queued|Running|Succeeded|Failed|Canceled)Job$/.exec(name)?.[1];
  return status === undefined ? undefined : `A job whose status is \`${status.toLowerCase()}\`.`;
}

function describe(schema: Schema, words: string | undefined): void {
  if (schema.description === undefined && words !== undefined) schema.description = words;
}

/**
 * Describes every member and every named schema that has no description of its own, so that generators of clients and
 * agents find one everywhere.
 */
export function describeMembers({ components: { schemas } }: ApiDocument): void {
  for (const [name, schema] of Object.entries(schemas)) {
    describe(schema, SCHEMA_DESCRIPTIONS[name] ?? describeName(name));
    for (const [member, part] of Object.entries(schema.properties ?? {})) {
      describe(part, MEMBER_DESCRIPTIONS[`${name}.${member}`] ?? MEMBER_DESCRIPTIONS[member]);
    }
  }
  // A part that was named after the member that holds it takes the member's description.
  for (const schema of Object.values(schemas)) {
    for (const part of Object.values(schema.properties ?? {})) {
      const choice = (part.anyOf ?? [part]).map((one) => targetOf(schemas, part.$ref ? part : one));
      const target = choice.find((found) => found !== undefined) ?? targetOf(schemas, part.items ?? {});
      if (target !== undefined) describe(target, part.description);
    }
  }
}
