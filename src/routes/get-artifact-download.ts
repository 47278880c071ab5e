import { createRoute } from "@hono/zod-openapi";
import { issueDownloadLinks, readReadyArtifact } from "../artifacts/service.ts";
import { artifactParams, downloadLinksSchema } from "../contract/schemas/artifact.ts";
import { acceptedValue, succeed } from "../http/envelope.ts";
import { defineRoute, failures, operation, success } from "../http/operation.ts";
import { publicOrigin } from "../http/public-origin.ts";
import { requireCapability } from "../http/require-capability.ts";

const route = createRoute({
  ...operation({
    operationId: "getArtifactDownload",
    summary: "Get short-lived download links",
    description:
      "A signed link to the whole pack as a ZIP (files and `manifest.json`), and one to each file. Links need no " +
      "API key and end after five minutes: never store or log them, ask for new ones.",
    tag: "Artifacts",
    scope: "artifacts:read",
    family: "downloads",
    needs: ["database", "storage", "downloadSigning"],
  }),
  method: "get",
  path: "/api/v1/artifacts/{artifactId}/download",
  request: { params: artifactParams },
  responses: {
    200: success(downloadLinksSchema, "The links"),
    ...failures(400, 401, 403, 404, 409, 429, 500, 501),
  },
});

export const getArtifactDownload = defineRoute(route, async (c) => {
  const { artifactId } = c.req.valid("param");
  const { nowMs, principal } = c.var;
  const { db } = requireCapability(c, "database");
  const artifact = acceptedValue(await readReadyArtifact({ db, nowMs }, principal.workspaceId, artifactId));
  const origin = publicOrigin(c);
  const links = await issueDownloadLinks(
    artifact,
    requireCapability(c, "downloadSigning"),
    nowMs,
    (token) => `${origin}/api/v1/downloads/${token}`,
  );
  return succeed(c, 200, links);
});
