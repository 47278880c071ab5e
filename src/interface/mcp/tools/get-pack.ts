import type { Context } from "hono";
import { z } from "zod";
import { accept, type Outcome } from "#api/errors.ts";
import { LIMITS } from "#api/limits.ts";
import { artifactFileSchema, complianceSchema } from "#api/schemas/artifact.ts";
import { timestampSchema, uuidSchema } from "#api/schemas/primitives.ts";
import { strictBody } from "#api/schemas/strict-body.ts";
import { type DetailedArtifact, presentArtifact } from "#domains/artifacts/artifact.ts";
import { issueDownloadLinks, readDetailedArtifact } from "#domains/artifacts/service.ts";
import { getJob } from "#domains/jobs/read-jobs.ts";
import { readNearby } from "#interface/http/bookmark.ts";
import type { AppEnv } from "#interface/http/context.ts";
import { publicOrigin } from "#interface/http/origin.ts";
import { countRequest } from "#interface/http/rate-limit.ts";
import { requireCapability, storageOf } from "#interface/http/require-capability.ts";
import { pick } from "#platform/pick-members.ts";
import { READ_ONLY } from "../annotations.ts";
import { packSchema, presentPack } from "../pack.ts";
import { picturesOf } from "../pictures.ts";
import { defineTool } from "../tool.ts";

const SHOWN = ["sizeId", "role", "fileName", "width", "height", "contentType", "byteLength"] as const;
const { fileName, byteLength } = artifactFileSchema.shape;
const url = z.url();

const filesSchema = z.object({
  expiresAt: timestampSchema,
  zip: z.object({ url, fileName, byteLength }),
  items: z.array(
    z.object({
      ...pick(artifactFileSchema.shape, ...SHOWN),
      verdict: complianceSchema.shape.verdict,
      url,
    }),
  ),
});

const HOURS = LIMITS.agentLinkLifetimeMs / 3_600_000;

async function filesOf(c: Context<AppEnv>, artifact: DetailedArtifact): Promise<z.infer<typeof filesSchema>> {
  const origin = publicOrigin(c);
  const {
    files,
    url: zipUrl,
    ...zip
  } = await issueDownloadLinks(
    artifact,
    requireCapability(c, "downloadSigning"),
    c.get("nowMs"),
    (token) => `${origin}/api/v1/downloads/${token}`,
    LIMITS.agentLinkLifetimeMs,
  );
  const urls = new Map(files.map((file) => [file.fileId, file.url]));
  return {
    expiresAt: zip.expiresAt,
    zip: { url: zipUrl, ...pick(zip, "fileName", "byteLength") },
    items: presentArtifact(artifact).files.map((file) => ({
      ...pick(file, ...SHOWN),
      verdict: file.compliance.verdict,
      url: urls.get(file.fileId) ?? zipUrl,
    })),
  };
}

/** The files of a finished pack. A call that shows links counts as a download, too. */
async function readFiles(c: Context<AppEnv>, artifactId: string): Promise<Outcome<DetailedArtifact>> {
  const { db, workspaceId, livemode } = c.get("workspace");
  await countRequest(c, "downloads", c.get("principal").countedAs, false);
  const bucket = requireCapability(c, "storage");
  return readDetailedArtifact({ db, livemode, nowMs: c.get("nowMs") }, bucket, workspaceId, artifactId);
}

export const getPackTool = defineTool({
  name: "get_pack",
  title: "Read a pack",
  description:
    "A pack's progress, and once it has succeeded, links to its files and up to " +
    `${LIMITS.agentPicturesMax} of its pictures. Call it after create_pack, and again after pollAfterSeconds until the ` +
    `status is succeeded, failed or canceled. Links need no key and last ${HOURS} hour: give them to the person. Free.`,
  scope: "jobs:read",
  windows: ["read"],
  needs: ["storage", "downloadSigning"],
  annotations: READ_ONLY,
  input: strictBody({ jobId: uuidSchema.describe("From create_pack.") }),
  output: z.object({
    pack: packSchema,
    files: filesSchema.nullable(),
    filesNote: z.string().nullable().describe("Why a pack that succeeded has no files."),
  }),
  run: async (c, { jobId }) => {
    const { workspaceId, livemode } = c.get("workspace");
    const found = await readNearby(c, {
      unmarked: "any",
      read: (reader) => getJob(reader, storageOf(c), { workspaceId, jobId, livemode }),
      isMissing: ({ ok }) => !ok,
    });
    if (!found.ok) return found;
    const pack = presentPack(found.value);
    const shown = (files: z.infer<typeof filesSchema> | null, filesNote: string | null) =>
      accept({ output: { pack, files, filesNote } });
    if (pack.artifactId === null) return shown(null, null);
    if (!c.get("principal").scopes.includes("artifacts:read")) {
      return shown(null, "The key lacks the scope artifacts:read; ask the person for one that holds it.");
    }
    const artifact = await readFiles(c, pack.artifactId);
    if (!artifact.ok)
      return artifact.code === "ARTIFACT_NOT_READY" ? shown(null, artifact.message) : artifact;
    const output = { pack, files: await filesOf(c, artifact.value), filesNote: null };
    return accept({
      output,
      blocks: await picturesOf(requireCapability(c, "storage"), artifact.value.files),
    });
  },
});
