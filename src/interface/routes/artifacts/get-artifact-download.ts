import { downloadLinksSchema } from "#api/schemas/artifact.ts";
import { issueDownloadLinks, readDetailedArtifact } from "#domains/artifacts/service.ts";
import { apiKey } from "#interface/http/access.ts";
import { acceptedValue, succeed } from "#interface/http/envelope.ts";
import { publicOrigin } from "#interface/http/origin.ts";
import { requireCapability } from "#interface/http/require-capability.ts";
import { defineRoute, success } from "#interface/http/route.ts";

export const getArtifactDownloadRoute = defineRoute({
  operationId: "getArtifactDownload",
  method: "get",
  path: "/api/v1/artifacts/{artifactId}/download",
  tag: "Artifacts",
  summary: "Get short-lived download links",
  description:
    "A signed link to the whole pack as a ZIP (files and `manifest.json`), and one to each file. Links need no " +
    "API key and end after five minutes: never store or log them, ask for new ones.",
  access: apiKey("artifacts:read"),
  window: "downloads",
  needs: ["storage", "downloadSigning"],
  errors: ["ARTIFACT_NOT_FOUND", "ARTIFACT_NOT_READY", "FILE_CORRUPT"],
  responses: { 200: success(downloadLinksSchema, "The links") },
  handler: async (c) => {
    const { artifactId } = c.req.valid("param");
    const { db, workspaceId } = c.get("workspace");
    const nowMs = c.get("nowMs");
    const bucket = requireCapability(c, "storage");
    const artifact = acceptedValue(
      await readDetailedArtifact({ db, nowMs }, bucket, workspaceId, artifactId),
    );
    const origin = publicOrigin(c);
    const links = await issueDownloadLinks(
      artifact,
      requireCapability(c, "downloadSigning"),
      nowMs,
      (token) => `${origin}/api/v1/downloads/${token}`,
    );
    return succeed(c, 200, links);
  },
});
