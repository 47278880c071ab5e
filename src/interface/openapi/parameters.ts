import type { ApiDocument, Parameter } from "./document-types.ts";
import { sampleOf } from "./samples.ts";

/** Descriptions of parameters that mean the same in every operation; a route's own description comes first. */

interface Description {
  readonly description: string;
  /** Where none can be made from the schema. */
  readonly example?: string;
}

const KNOWN: Readonly<Record<string, Description>> = {
  accountId: { description: "The account, as the members of the workspace are listed with it." },
  apiKeyId: { description: "The key's id, which is not its secret." },
  artifactId: { description: "The `artifactId` of a job that has succeeded." },
  assetId: { description: "The asset, as its upload intent or a list names it." },
  brandId: { description: "The brand, as its creation or a list names it." },
  contractId: { description: "One of the contracts that `GET /api/v1/contracts` lists." },
  deliveryId: { description: "The delivery, as its start or a list names it." },
  imageSecretId: { description: "The signing secret." },
  destinationId: { description: "The saved destination." },
  fileId: { description: "A file of the artifact, as its manifest names it." },
  invitationId: { description: "The invitation, as its creation named it." },
  jobId: { description: "The job, as its creation or a list names it." },
  motion: { description: "Only packs that move, or that do not." },
  provider: { description: "Who signs the person in." },
  shareId: { description: "The share link, as its creation or a list names it." },
  commentId: { description: "The comment, as its creation or a list names it." },
  status: { description: "Only items with this status." },
  uploadId: { description: "The upload, as its intent names it." },
  workspaceId: { description: "A workspace that the person is a member of." },
  "x-service-cc-upload-id": { description: "The upload, where the query does not name it." },
  "Idempotency-Key": {
    description:
      "Names this one effect in the workspace. The same key with the same request shows the first result again, " +
      "with `Idempotent-Replayed: true`; with another request it is a conflict. An error frees the key.",
    example: "order-2041-of-2026-06-18",
  },
  "If-None-Match": {
    description: "An `ETag` of an earlier answer; 304 while it is still the content's.",
    example: '"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"',
  },
  code: { description: "What the provider gives for the person's consent." },
  error: { description: "Why the provider gave no consent." },
  error_description: { description: "The same, in the provider's words." },
  iss: { description: "Who the provider says it is." },
  state: { description: "What ties the provider's answer to this browser's sign-in." },
};

/** Completes a parameter's description and example. */
export function describeParameter(parameter: Parameter, { components }: ApiDocument): void {
  const known = KNOWN[parameter.name];
  // A description beside a reference belongs to the parameter.
  const { description: said, ...schema } = parameter.schema;
  const description = parameter.description ?? said ?? known?.description;
  if (description !== undefined) parameter.description = description;
  parameter.schema = schema;
  parameter.example ??= known?.example ?? sampleOf(parameter.schema, components.schemas);
}
