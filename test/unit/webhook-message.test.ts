import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { DELIVERY_LIMITS } from "#api/delivery-rules.ts";
import { LIMITS } from "#api/limits.ts";
import { artifactSchema } from "#api/schemas/artifact.ts";
import { artifactMessageSchema } from "#api/schemas/webhook-message.ts";
import type { ArtifactFile, DetailedArtifact } from "#domains/artifacts/artifact.ts";
import { issueDownloadLinks } from "#domains/artifacts/service.ts";
import type { Delivery } from "#domains/deliveries/delivery-store.ts";
import { artifactMessage } from "#domains/deliveries/webhook/send-webhook.ts";

/** A webhook message contains the manifest and links, stays below 20 KB for any pack, and marks omitted parts. */

const document = JSON.parse(readFileSync("schema/openapi.json", "utf8"));
const EXAMPLE = artifactSchema.parse(document.components.schemas.Artifact.example);

const [EXAMPLE_FILE] = EXAMPLE.files;

function artifactOf(fileCount: number): DetailedArtifact {
  if (EXAMPLE_FILE === undefined) throw new Error("the example has no file");
  const { checksum, compliance, layout, ...file } = EXAMPLE_FILE;
  const files = Array.from(
    { length: fileCount },
    (_, index): ArtifactFile => ({
      ...file,
      fileId: crypto.randomUUID(),
      sizeId: `gads-responsive-${index}-1200x1200`,
      fileName: `gads-responsive-${index}-1200x1200.png`,
      sha256: checksum.value,
      objectKey: "",
    }),
  );
  return {
    artifactId: crypto.randomUUID(),
    jobId: crypto.randomUUID(),
    workspaceId: crypto.randomUUID(),
    status: "ready",
    livemode: true,
    contractId: "display.v1",
    motion: "static",
    outputFormat: "png",
    sizeIds: files.map(({ sizeId }) => sizeId),
    renderFingerprint: "0".repeat(64),
    engineVersion: "1.0.0",
    totalBytes: 1,
    createdAtMs: 0,
    expiresAtMs: 1_000_000,
    isSuspended: false,
    name: null,
    headline: null,
    brandName: null,
    files,
    manifestSha256: "0".repeat(64),
    archive: null,
    fileDetails: files.map(({ fileId }) => ({ fileId, compliance, layout })),
  };
}

const DELIVERY: Delivery = {
  deliveryNumber: 1,
  deliveryId: crypto.randomUUID(),
  workspaceId: crypto.randomUUID(),
  destinationId: crypto.randomUUID(),
  kind: "webhook",
  eventType: "artifact.delivery",
  artifactId: crypto.randomUUID(),
  jobId: null,
  facts: null,
  origin: "https://packs.example",
  status: "running",
  attempts: 1,
  nextAttemptAtMs: null,
  failureCode: null,
  failureMessage: null,
  receiverStatus: null,
  filesTotal: 0,
  filesDone: 0,
  createdAtMs: 0,
  finishedAtMs: null,
};

async function messageOf(fileCount: number): Promise<string> {
  const artifact = artifactOf(fileCount);
  const keys = { current: "k".repeat(32), previous: null };
  const links = await issueDownloadLinks(
    artifact,
    keys,
    0,
    (token) => `https://packs.example/api/v1/downloads/${token}`,
  );
  return artifactMessage(DELIVERY, artifact, links);
}

it.each([
  [1, "full", 1],
  [4, "full", 4],
  [20, "brief", 20],
  [LIMITS.sizesPerJobMax, "summary", 0],
  [2 * LIMITS.sizesPerJobMax, "summary", 0],
])("API §6.4 a message about %i files has the detail %s", async (fileCount, detail, filesShown) => {
  const text = await messageOf(fileCount);
  expect(new TextEncoder().encode(text).byteLength).toBeLessThanOrEqual(
    DELIVERY_LIMITS.webhookMessageBytesMax,
  );
  const { type, data } = JSON.parse(text);
  expect(type).toBe("artifact.delivery");
  expect(data).toMatchObject({ detail, fileCount });
  expect(data.artifact.files).toHaveLength(filesShown);
  expect(data.download.files).toHaveLength(filesShown);
  expect(data.download.url).toMatch(/^https:\/\/packs\.example\/api\/v1\/downloads\/.+/);
  // The schema ignores unknown members; this checks that only documented ones are sent.
  expect(artifactMessageSchema.parse(JSON.parse(text))).toEqual(JSON.parse(text));
  if (detail === "full") expect(artifactSchema.strict().parse(data.artifact)).toEqual(data.artifact);
});
