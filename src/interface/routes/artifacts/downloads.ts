import { z } from "@hono/zod-openapi";
import { downloadLinksSchema } from "#api/schemas/artifact.ts";
import { packFileName } from "#domains/artifacts/artifact.ts";
import { packByteLength, verifyPack, zipPack } from "#domains/artifacts/pack-zip.ts";
import {
  issueDownloadLinks,
  readDetailedArtifact,
  readLink,
  readReadyFile,
} from "#domains/artifacts/service.ts";
import { apiKey, PUBLIC } from "#interface/http/access.ts";
import { countClient } from "#interface/http/client-network.ts";
import {
  contentEtag,
  DOWNLOAD_HEADERS,
  FILE_MEDIA_TYPES,
  isNoneMatchHit,
  notModified,
  sendDownload,
  sendFile,
} from "#interface/http/downloads.ts";
import { acceptedValue, succeed } from "#interface/http/envelope.ts";
import { publicOrigin } from "#interface/http/origin.ts";
import { countRequest } from "#interface/http/rate-limit.ts";
import { requireCapability } from "#interface/http/require-capability.ts";
import { defineRoute, success } from "#interface/http/route.ts";
import { routeToDatabase } from "#interface/http/workspace-database.ts";
import { findHome } from "#platform/databases/workspace-location-store.ts";

const WINDOWS = ["link-downloads-site", "link-downloads-allocation"] as const;

const downloadLinkRoute = defineRoute({
  operationId: "downloadLink",
  route: "GET /api/v1/downloads/{token}",
  summary: "Download by a signed link",
  description:
    "Target of a download link: the pack as a ZIP, or one file. The link is the permission; no API key is needed. " +
    "It works until it expires, even if the key that requested it is revoked, but not while its workspace is " +
    "suspended. Every file is read and verified before the first byte is sent. Requests count per artifact in the " +
    "route family `downloads`, and per artifact and site in `link-downloads-site`.",
  access: PUBLIC,
  ignoresOtherParameters: true,
  needs: ["database", "storage", "rateLimit", "downloadSigning"],
  errors: [
    "RATE_LIMITED",
    "LINK_INVALID",
    "ARTIFACT_NOT_FOUND",
    "FILE_NOT_FOUND",
    "ARTIFACT_NOT_READY",
    "FILE_CORRUPT",
  ],
  params: z.object({
    token: z.string().openapi({
      description: "Token of a download link, created by the service.",
      example: "9a1c03de.WyIwMTk5Zi4uLiJd.6mK2bQ",
    }),
  }),
  responses: {
    200: {
      description: "The ZIP or the file",
      headers: DOWNLOAD_HEADERS,
      bytes: ["application/zip", ...FILE_MEDIA_TYPES],
    },
  },
  handler: async (c, { param }) => {
    const { nowMs } = c.var;
    const { databases } = requireCapability(c, "database");
    const bucket = requireCapability(c, "storage");
    const signing = requireCapability(c, "downloadSigning");
    const grant = acceptedValue(await readLink(signing, param.token, nowMs));
    const about = `link:${grant.artifactId}`;
    await countClient(c, signing.current, WINDOWS, `${about}:`);
    await countRequest(c, "downloads", about);
    const { workspaceId, artifactId, fileId, madeAt } = grant;
    const home = await findHome(databases, madeAt, workspaceId);
    if (home !== null) routeToDatabase(c, { home, workspaceId });
    const { db } = requireCapability(c, "database");
    const deps = { db, nowMs, isByLink: true };
    if (fileId !== null) {
      const file = acceptedValue(await readReadyFile(deps, bucket, workspaceId, artifactId, fileId));
      return sendFile(c, bucket, file);
    }
    const artifact = acceptedValue(await readDetailedArtifact(deps, bucket, workspaceId, artifactId));
    const verified = acceptedValue(await verifyPack(bucket, artifact));
    const pack = {
      fileName: packFileName(artifact),
      contentType: "application/zip",
      byteLength: packByteLength(artifact),
      sha256: null,
    };
    return sendDownload(c, pack, zipPack(bucket, artifact, verified));
  },
});

const getArtifactDownloadRoute = defineRoute({
  operationId: "getArtifactDownload",
  route: "GET /api/v1/artifacts/{artifactId}/download",
  summary: "Create download links",
  description:
    "A signed link to the pack as a ZIP (files and `manifest.json`), and one to each file. Links need no API key " +
    "and expire after five minutes. Do not store or log them; request new ones.",
  access: apiKey("artifacts:read"),
  window: "downloads",
  needs: ["storage", "downloadSigning"],
  errors: ["ARTIFACT_NOT_FOUND", "ARTIFACT_NOT_READY", "FILE_CORRUPT"],
  responses: { 200: success(downloadLinksSchema, "The links") },
  handler: async (c, { db, workspaceId, livemode, param: { artifactId } }) => {
    const nowMs = c.get("nowMs");
    const bucket = requireCapability(c, "storage");
    const artifact = acceptedValue(
      await readDetailedArtifact({ db, livemode, nowMs }, bucket, workspaceId, artifactId),
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

const downloadArtifactFileRoute = defineRoute({
  operationId: "downloadArtifactFile",
  route: "GET /api/v1/artifacts/{artifactId}/files/{fileId}/download",
  summary: "Download a file of an artifact",
  description:
    "The bytes of the file, sent only after the stored file was read and its length, type and checksum were verified.",
  access: apiKey("artifacts:read"),
  window: "downloads",
  needs: ["storage"],
  errors: ["ARTIFACT_NOT_FOUND", "FILE_NOT_FOUND", "ARTIFACT_NOT_READY", "FILE_CORRUPT"],
  ifNoneMatch: "`ETag` of an earlier response. Returns 304 while it matches.",
  responses: {
    200: { description: "The file", headers: DOWNLOAD_HEADERS, bytes: FILE_MEDIA_TYPES },
    304: { description: "The caller has the current bytes" },
  },
  handler: async (c, { db, workspaceId, livemode, param: { artifactId, fileId } }) => {
    const deps = { db, livemode, nowMs: c.get("nowMs") };
    const bucket = requireCapability(c, "storage");
    const file = acceptedValue(await readReadyFile(deps, bucket, workspaceId, artifactId, fileId));
    const etag = contentEtag(file.sha256);
    if (isNoneMatchHit(c.req.header("If-None-Match"), etag)) return notModified(c, etag);
    return sendFile(c, bucket, file);
  },
});

export const downloadRoutes = [getArtifactDownloadRoute, downloadArtifactFileRoute, downloadLinkRoute];
