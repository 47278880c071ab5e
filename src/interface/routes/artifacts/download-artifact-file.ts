import { readReadyFile } from "#domains/artifacts/service.ts";
import { apiKey } from "#interface/http/access.ts";
import {
  contentEtag,
  DOWNLOAD_HEADERS,
  FILE_MEDIA_TYPES,
  notModified,
  sendFile,
} from "#interface/http/downloads.ts";
import { acceptedValue } from "#interface/http/envelope.ts";
import { isNoneMatchHit } from "#interface/http/etag.ts";
import { requireCapability } from "#interface/http/require-capability.ts";
import { defineRoute } from "#interface/http/route.ts";

export const downloadArtifactFileRoute = defineRoute({
  operationId: "downloadArtifactFile",
  method: "get",
  path: "/api/v1/artifacts/{artifactId}/files/{fileId}/download",
  tag: "Artifacts",
  summary: "Download a file of an artifact",
  description:
    "The bytes, sent only after the stored file was read whole and its length, type and checksum were found right.",
  access: apiKey("artifacts:read"),
  window: "downloads",
  needs: ["storage"],
  errors: ["ARTIFACT_NOT_FOUND", "FILE_NOT_FOUND", "ARTIFACT_NOT_READY", "FILE_CORRUPT"],
  ifNoneMatch: "An ETag of an earlier download; 304 when it is still the content's.",
  responses: {
    200: { description: "The file", headers: DOWNLOAD_HEADERS, bytes: FILE_MEDIA_TYPES },
    304: { description: "The caller holds these very bytes" },
  },
  handler: async (c) => {
    const { artifactId, fileId } = c.req.valid("param");
    const { db, workspaceId } = c.get("workspace");
    const deps = { db, nowMs: c.get("nowMs") };
    const bucket = requireCapability(c, "storage");
    const file = acceptedValue(await readReadyFile(deps, bucket, workspaceId, artifactId, fileId));
    const etag = contentEtag(file.sha256);
    if (isNoneMatchHit(c.req.header("If-None-Match"), etag)) return notModified(c, etag);
    return sendFile(c, bucket, file);
  },
});
