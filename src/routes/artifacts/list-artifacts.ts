import { artifactListQuery, artifactPageSchema } from "../../api/schemas/artifact.ts";
import { listArtifacts, presentArtifactPage } from "../../artifacts/service.ts";
import { memberWith } from "../../http/access.ts";
import { succeed } from "../../http/envelope.ts";
import { defineRoute, success } from "../../http/route.ts";

export const listWorkspaceArtifactsRoute = defineRoute({
  operationId: "listWorkspaceArtifacts",
  method: "get",
  path: "/api/account/workspaces/{workspaceId}/artifacts",
  tag: "Account",
  summary: "List a workspace's artifacts",
  description: "Newest job first, without their files. `before` is a time at which a job was created.",
  access: memberWith("artifacts:read"),
  window: "read",
  query: artifactListQuery,
  responses: { 200: success(artifactPageSchema, "A page of artifacts") },
  handler: async (c) => {
    const { limit, before } = c.req.valid("query");
    const { db, workspaceId } = c.get("workspace");
    const beforeMs = before === undefined ? null : Date.parse(before);
    const page = await listArtifacts({ db, nowMs: c.var.nowMs }, workspaceId, beforeMs, limit);
    return succeed(c, 200, presentArtifactPage(page));
  },
});
