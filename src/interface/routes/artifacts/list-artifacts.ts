import { artifactListQuery, artifactPageSchema } from "#api/schemas/artifact.ts";
import { listArtifacts, presentArtifactPage } from "#domains/artifacts/list-artifacts.ts";
import { succeed } from "#interface/http/envelope.ts";
import { defineTwins, success } from "#interface/http/route.ts";

const DESCRIPTION =
  "Newest job first, without their files. `before` is a time at which a job was created. With a filter a page may have " +
  "fewer items than `limit`, or none, though another follows: it looks at a thousand packs.";

export const [listArtifactsRoute, listWorkspaceArtifactsRoute] = defineTwins({
  scope: "artifacts:read",
  window: "read",
  query: artifactListQuery,
  responses: { 200: success(artifactPageSchema, "A page of artifacts") },
  forKey: {
    operationId: "listArtifacts",
    method: "get",
    path: "/api/v1/artifacts",
    tag: "Artifacts",
    summary: "List artifacts",
    description: DESCRIPTION,
  },
  forMember: {
    operationId: "listWorkspaceArtifacts",
    method: "get",
    path: "/api/account/workspaces/{workspaceId}/artifacts",
    tag: "Account",
    summary: "List a workspace's artifacts",
    description: DESCRIPTION,
  },
  handler: async (c) => {
    const { limit, before, contractId = null, motion = null, search = null } = c.req.valid("query");
    const { db, workspaceId } = c.get("workspace");
    const beforeMs = before === undefined ? null : Date.parse(before);
    const filter = { contractId, motion, search };
    const page = await listArtifacts({ db, nowMs: c.var.nowMs }, workspaceId, beforeMs, filter, limit);
    return succeed(c, 200, presentArtifactPage(page));
  },
});
