import { createRoute, z } from "@hono/zod-openapi";
import { readReadyFile } from "../artifacts/service.ts";
import { artifactFileParams } from "../contract/schemas/artifact.ts";
import { DOWNLOAD_HEADERS, fileContent, ifNoneMatchHeader } from "../http/download-documentation.ts";
import { contentEtag } from "../http/downloads.ts";
import { acceptedValue } from "../http/envelope.ts";
import { isNoneMatchHit } from "../http/etag.ts";
import { defineRoute, failures, operation } from "../http/operation.ts";
import { requireCapability } from "../http/require-capability.ts";
import { sendFile } from "../http/send-file.ts";

const route = createRoute({
  ...operation({
    operationId: "downloadArtifactFile",
    summary: "Download a file of an artifact",
    description:
      "The bytes, sent only after the stored file was read whole and its length, type and checksum were found right.",
    tag: "Artifacts",
    scope: "artifacts:read",
    family: "downloads",
    needs: ["database", "storage"],
  }),
  method: "get",
  path: "/api/v1/artifacts/{artifactId}/files/{fileId}/download",
  request: { params: artifactFileParams, headers: z.object(ifNoneMatchHeader) },
  responses: {
    200: { description: "The file", headers: DOWNLOAD_HEADERS, content: fileContent },
    304: { description: "The caller holds these very bytes" },
    ...failures(400, 401, 403, 404, 409, 429, 500, 501),
  },
});

export const downloadArtifactFile = defineRoute(route, async (c) => {
  const { artifactId, fileId } = c.req.valid("param");
  const { db } = requireCapability(c, "database");
  const { nowMs, principal } = c.var;
  const file = acceptedValue(await readReadyFile({ db, nowMs }, principal.workspaceId, artifactId, fileId));
  const etag = contentEtag(file.sha256);
  if (isNoneMatchHit(c.req.header("If-None-Match"), etag)) return c.body(null, 304, { ETag: etag });
  return sendFile(c, requireCapability(c, "storage"), file);
});
