import { createRoute } from "@hono/zod-openapi";
import { presentArtifact } from "../artifacts/artifact.ts";
import { readArtifact } from "../artifacts/service.ts";
import { artifactParams, artifactSchema } from "../contract/schemas/artifact.ts";
import { bookmarkHeaders, readNearby, withBookmark } from "../http/bookmark.ts";
import { acceptedValue, succeed } from "../http/envelope.ts";
import { defineRoute, failures, operation, success } from "../http/operation.ts";

const route = createRoute({
  ...operation({
    operationId: "getArtifact",
    summary: "Read an artifact's manifest",
    description:
      "The finished pack of a succeeded job: its files with checksum, compliance and layout report. " +
      "Download only while `status` is `ready`.",
    tag: "Artifacts",
    scope: "artifacts:read",
    family: "read",
    needs: ["database", "storage"],
  }),
  method: "get",
  path: "/api/v1/artifacts/{artifactId}",
  request: { headers: bookmarkHeaders, params: artifactParams },
  responses: {
    200: withBookmark(success(artifactSchema, "The manifest")),
    ...failures(400, 401, 403, 404, 429, 500, 501),
  },
});

export const getArtifact = defineRoute(route, async (c) => {
  const { artifactId } = c.req.valid("param");
  const found = await readNearby(c, {
    unmarked: "any",
    read: (db) => readArtifact({ db, nowMs: c.var.nowMs }, c.var.principal.workspaceId, artifactId),
    isMissing: ({ ok }) => !ok,
  });
  return succeed(c, 200, presentArtifact(acceptedValue(found)));
});
