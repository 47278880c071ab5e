import { JOB_STATUSES } from "#api/schemas/job.ts";
import type { ApiDocument, Schema } from "./document-types.ts";

/**
 * Splits the document's Job by status, so that clients get precise types: only a succeeded job has an artifact, and
 * only a failed one has a failure.
 */

const nameOf = (status: string): string => `${status.charAt(0).toUpperCase()}${status.slice(1)}Job`;

/** The member's schema reduced to null, or to its values other than null. */
function narrowed(member: Schema, isThere: boolean): Schema {
  const { anyOf, description, ...rest } = member;
  const words = description === undefined ? {} : { description };
  if (!isThere) return { type: "null", ...words };
  const choice = anyOf?.find(({ type }) => type !== "null");
  if (choice !== undefined) return { ...choice, ...words };
  const type = [rest.type].flat().find((name) => name !== undefined && name !== "null");
  return { ...rest, ...(type === undefined ? {} : { type }), ...words };
}

/** Replaces the schema `Job` by one per status, with the status as discriminator. */
export function splitJobByStatus({ components: { schemas } }: ApiDocument): void {
  const job = schemas.Job;
  const { status, artifactId, failure } = job?.properties ?? {};
  if (job === undefined || !status || !artifactId || !failure) throw new Error("the document has no Job");
  const { example, ...whole } = job;
  const { artifact, ...members } = whole.properties ?? {};
  for (const name of JOB_STATUSES) {
    schemas[nameOf(name)] = {
      ...whole,
      properties: {
        ...members,
        ...(artifact !== undefined && name === "succeeded" && { artifact }),
        status: { type: "string", const: name },
        artifactId: narrowed(artifactId, name === "succeeded"),
        failure: narrowed(failure, name === "failed"),
      },
    };
  }
  const referenceTo = (name: string): string => `#/components/schemas/${nameOf(name)}`;
  schemas.Job = {
    oneOf: JOB_STATUSES.map((name) => ({ $ref: referenceTo(name) })),
    discriminator: {
      propertyName: "status",
      mapping: Object.fromEntries(JOB_STATUSES.map((name) => [name, referenceTo(name)])),
    },
    example,
  };
}
