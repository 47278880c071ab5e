import type { ApiDocument, Parameter } from "./document-types.ts";
import { sampleOf } from "./samples.ts";

/** Descriptions of parameters that mean the same in every operation. A route's own description overrides them. */

interface Description {
  readonly description: string;
  /** Example of a parameter whose schema does not generate one. */
  readonly example?: string;
}

const KNOWN: Readonly<Record<string, Description>> = {
  accountId: { description: "Id of the account, as in the list of members." },
  apiKeyId: { description: "Id of the API key. Not the secret." },
  artifactId: { description: "Id of the artifact: the `artifactId` of a job that has succeeded." },
  assetId: { description: "Id of the asset." },
  brandId: { description: "Id of the saved brand." },
  contractId: { description: "Id of the contract with its version, as in `GET /api/v1/contracts`." },
  deliveryId: { description: "Id of the delivery." },
  imageSecretId: { description: "Id of the signing secret." },
  destinationId: { description: "Id of the destination." },
  fileId: { description: "Id of the file, as in the artifact's manifest." },
  invitationId: { description: "Id of the invitation." },
  jobId: { description: "Id of the job." },
  motion: { description: "Only packs with this motion." },
  provider: { description: "Sign-in provider." },
  shareId: { description: "Id of the share link." },
  commentId: { description: "Id of the comment." },
  status: { description: "Only items with this status." },
  uploadId: { description: "Id of the upload." },
  workspaceId: { description: "Id of a workspace that the account is a member of." },
  "x-service-cc-upload-id": { description: "Id of the upload, if the query does not contain it." },
  "Idempotency-Key": {
    description:
      "Identifies one effect in the workspace. A repeated request with the same key returns the first result, with " +
      "`Idempotent-Replayed: true`; a different request is a conflict. An error frees the key.",
    example: "order-2041-of-2026-06-18",
  },
  "If-None-Match": {
    description: "`ETag` of an earlier response. Returns 304 while it matches.",
    example: '"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"',
  },
  code: { description: "Authorization code of the provider." },
  error: { description: "OAuth error of the provider." },
  error_description: { description: "Description of the error by the provider." },
  iss: { description: "Issuer: the provider's identifier." },
  state: { description: "Value that ties the provider's response to this browser's sign-in." },
};

/** Completes the description and example of a parameter. */
export function describeParameter(parameter: Parameter, { components }: ApiDocument): void {
  const known = KNOWN[parameter.name];
  // A description next to a reference belongs to the parameter.
  const { description: said, ...schema } = parameter.schema;
  const description = parameter.description ?? said ?? known?.description;
  if (description !== undefined) parameter.description = description;
  parameter.schema = schema;
  parameter.example ??= known?.example ?? sampleOf(parameter.schema, components.schemas);
}
