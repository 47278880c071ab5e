import { artifactListQuery, artifactPageSchema, artifactSchema } from "#api/schemas/artifact.ts";
import { presentArtifact } from "#domains/artifacts/artifact.ts";
import { listArtifacts, presentArtifactPage } from "#domains/artifacts/list-artifacts.ts";
import { readDetails } from "#domains/artifacts/manifest.ts";
import { readArtifact } from "#domains/artifacts/service.ts";
import { apiKey } from "#interface/http/access.ts";
import { readNearby } from "#interface/http/bookmark.ts";
import { acceptedValue, succeed } from "#interface/http/envelope.ts";
import { requireCapability } from "#interface/http/require-capability.ts";
import { defineRoute, defineTwins, success } from "#interface/http/route.ts";
import { log } from "#platform/log/log.ts";
import { downloadRoutes } from "./downloads.ts";

const getArtifactRoute = defineRoute({
  operationId: "getArtifact",
  route: "GET /api/v1/artifacts/{artifactId}",
  summary: "Read an artifact's manifest",
  description:
    "The finished pack of a succeeded job: its files with checksums, compliance and layout reports. Download files " +
    "only while `status` is `ready`.",
  access: apiKey("artifacts:read"),
  needs: ["storage"],
  errors: ["ARTIFACT_NOT_FOUND"],
  isNearbyRead: true,
  responses: { 200: success(artifactSchema, "The manifest") },
  handler: async (c, { workspaceId, livemode, param: { artifactId } }) => {
    const found = await readNearby(c, {
      unmarked: "any",
      read: (db) => readArtifact({ db, livemode, nowMs: c.get("nowMs") }, workspaceId, artifactId),
      isMissing: ({ ok }) => !ok,
    });
    const artifact = acceptedValue(found);
    const detailed = await readDetails(requireCapability(c, "storage"), artifact);
    // Storage lost an object that it had accepted: an internal error, which no caller can fix.
    if (!detailed.ok) {
      log.failure({ event: "manifest_lost", workspaceId, artifactId });
      throw new Error("the manifest object of an artifact is gone or altered");
    }
    return succeed(c, 200, presentArtifact(detailed.value));
  },
});

const DESCRIPTION =
  "Artifacts without their files, newest job first. `before` is the creation time of a job. With a filter, a page searches " +
  "at most 1,000 packs, so it may be short or empty although more follow.";

export const [listArtifactsRoute, listWorkspaceArtifactsRoute] = defineTwins({
  scope: "artifacts:read",
  description: DESCRIPTION,
  query: artifactListQuery,
  responses: { 200: success(artifactPageSchema, "A page of artifacts") },
  forKey: {
    operationId: "listArtifacts",
    route: "GET /api/v1/artifacts",
    summary: "List artifacts",
  },
  forMember: {
    operationId: "listWorkspaceArtifacts",
    route: "GET /api/account/workspaces/{workspaceId}/artifacts",
    summary: "List a workspace's artifacts",
  },
  handler: async (c, { db, workspaceId, livemode, query: { limit, before, ...query } }) => {
    const { contractId = null, motion = null, search = null, brandId = null, approval = null } = query;
    const beforeMs = before === undefined ? null : Date.parse(before);
    const filter = { livemode, contractId, motion, search, brandId, approval };
    const page = await listArtifacts({ db, nowMs: c.var.nowMs }, workspaceId, beforeMs, filter, limit);
    return succeed(c, 200, presentArtifactPage(page));
  },
});

export const routes = [listArtifactsRoute, getArtifactRoute, ...downloadRoutes];
