import { createHash } from "node:crypto";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { ArtifactBody, DownloadLinks } from "../../src/api/schemas/artifact.ts";
import type { PackRequest } from "../../src/api/schemas/job.ts";
import { SLOT_IDS } from "../../src/api/slots.ts";
import { Failure } from "../local/failure.ts";
import type { JobBody } from "./answers.ts";
import type { Client } from "./client.ts";
import { formatSeconds } from "./figures.ts";
import type { DemoPack } from "./packs.ts";
import { previewPack, type SavedPreview } from "./preview-pack.ts";
import { createProgressBar } from "./progress-bar.ts";
import { uploadSample } from "./upload.ts";

/** Reads 400 times a minute, under the fixed window for reads. */
const POLL_MS = 150;
/** A pack takes seconds; after this the machine or the queue is stuck. */
const JOB_MS_MAX = 150_000;

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

export type PackFile = ArtifactBody["files"][number];

/** A finished pack as it was fetched. */
export interface MadePack {
  readonly pack: DemoPack;
  /** What was looked at before it was bought. */
  readonly preview: SavedPreview | null;
  readonly job: JobBody;
  readonly artifact: ArtifactBody;
  /** Folder of the files and the ZIP. */
  readonly folder: string;
  readonly zipName: string;
  readonly zipBytes: number;
  /** From the job's creation to its success, as the client saw it. */
  readonly renderMs: number;
}

/** Creates the job and polls it to its end, with a bar for its outputs. Returns it and how long it took. */
async function drawPack(client: Client, request: PackRequest): Promise<{ job: JobBody; renderMs: number }> {
  const startedMs = performance.now();
  const elapsedMs = () => performance.now() - startedMs;
  const total = request.selectedSizeIds.length;
  const bar = createProgressBar(`rendering ${total} sizes`);
  const show = (completed: number) =>
    bar.show(completed, total, `${completed}/${total}  ${formatSeconds(elapsedMs())}`);
  show(0);
  let job = await client.post<JobBody>("/api/v1/jobs", request);
  while (job.status === "queued" || job.status === "running") {
    if (elapsedMs() > JOB_MS_MAX) {
      throw new Failure(`Job ${job.jobId} is still ${job.status} after ${formatSeconds(JOB_MS_MAX)}.`);
    }
    await delay(POLL_MS);
    job = await client.get<JobBody>(`/api/v1/jobs/${job.jobId}`);
    show(job.progress.completed);
  }
  if (job.status !== "succeeded" || job.artifactId === null) {
    const reason = job.failure ? `: ${job.failure.code}, ${job.failure.message}` : "";
    const refund = job.failure?.refunded ? " Its credits were refunded." : "";
    throw new Failure(`Job ${job.jobId} ended as ${job.status}${reason}.${refund}`);
  }
  bar.end(`${job.progress.completed}/${total}  ${formatSeconds(elapsedMs())}`);
  return { job, renderMs: elapsedMs() };
}

/** A pack's own folder, without what an earlier run left; the folders and pages of other packs stay. */
export async function emptyPackFolder(outputFolder: string, packName: string): Promise<string> {
  const folder = join(outputFolder, packName);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  return folder;
}

/** Plays the flow from the uploads to the files on disk. */
export async function makePack(client: Client, pack: DemoPack, outputFolder: string): Promise<MadePack> {
  const assetIds: Record<string, string> = {};
  for (const slotId of SLOT_IDS) {
    const file = pack.files[slotId];
    if (file !== undefined) assetIds[slotId] = await uploadSample(client, slotId, file);
  }
  const { previewSizeId } = pack;
  const preview =
    previewSizeId === undefined
      ? null
      : await previewPack(
          client,
          { ...pack.request, assetIds, selectedSizeIds: [previewSizeId] },
          outputFolder,
        );
  const { job, renderMs } = await drawPack(client, { ...pack.request, assetIds });

  const artifact = await client.get<ArtifactBody>(`/api/v1/artifacts/${job.artifactId}`);
  if (artifact.status !== "ready")
    throw new Failure(`Artifact ${artifact.artifactId} is ${artifact.status}.`);
  const folder = await emptyPackFolder(outputFolder, pack.name);
  for (const { fileId, fileName, byteLength, checksum } of artifact.files) {
    const bytes = await client.download(`/api/v1/artifacts/${artifact.artifactId}/files/${fileId}/download`);
    const isWhole = bytes.byteLength === byteLength && sha256(bytes) === checksum.value;
    if (!isWhole) throw new Failure(`${fileName} does not have the bytes that the manifest promises.`);
    await writeFile(join(folder, fileName), bytes);
  }
  const links = await client.get<DownloadLinks>(`/api/v1/artifacts/${artifact.artifactId}/download`);
  const zip = await client.download(links.url);
  const zipName = `${pack.name}.zip`;
  await writeFile(join(folder, zipName), zip);
  return { pack, preview, job, artifact, folder, zipName, zipBytes: zip.byteLength, renderMs };
}
