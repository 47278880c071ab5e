import { createHash } from "node:crypto";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import {
  AbortedError,
  type CreatePack,
  type CreativePacks,
  type Manifest,
  type Pack,
  type Preview,
} from "../../../sdk/src/index.ts";
import { Failure } from "../../local/failure.ts";
import { inRoot } from "../../local/paths.ts";
import { formatBytes, formatSeconds, printDone } from "./figures.ts";
import type { DemoPack, SampleFile } from "./packs.ts";

/** 400 reads a minute, below the rate limit for reads. */
const POLL_MS = 150;
/** Maximum wait for a pack, which normally takes seconds. */
const PACK_MS_MAX = 150_000;

export const PREVIEW_FILE_NAME = "preview.png";

export type PackFile = Manifest["files"][number];

/** A finished pack as downloaded. */
export interface MadePack {
  readonly pack: DemoPack;
  /** The preview before the purchase, saved as `preview.png`. */
  readonly preview: Preview | null;
  readonly job: Pack["job"];
  readonly artifact: Manifest;
  readonly zipName: string;
  readonly zipBytes: number;
  /** From the job's creation to its success, as measured by the client. */
  readonly renderMs: number;
}

/** Uploads a file of samples/ to a slot. Returns the id of the ready asset. */
async function uploadSample(client: CreativePacks, { slot, file }: SampleFile): Promise<string> {
  let isSent = false;
  const { assetId, byteLength } = await client.assets.upload(inRoot(`samples/${file}`), {
    slot,
    onProgress: () => {
      isSent = true;
    },
  });
  const how = isSent ? "" : ", known already, not sent again";
  printDone(`${slot} ${basename(file)}`, formatBytes(byteLength ?? 0) + how);
  return assetId;
}

/** Short description of the predicted paid output. */
function describePrediction({ predicted }: Preview): string {
  if (predicted === null) return "nothing: no byte cap is published, or the file is a large one";
  if (predicted.failure !== null) return `a failure: ${predicted.failure.message}`;
  const { byteLength, compliance, outputFormat } = predicted;
  return `${outputFormat}, ${formatBytes(byteLength ?? 0)}, ${compliance?.verdict}`;
}

/** Previews one size of a pack before payment and saves the image. */
async function previewPack(client: CreativePacks, request: CreatePack, folder: string): Promise<Preview> {
  const preview = await client.previews.create(request);
  const { base64, sha256, width, height } = preview.image;
  const bytes = Buffer.from(base64, "base64");
  if (createHash("sha256").update(bytes).digest("hex") !== sha256) {
    throw new Failure("The preview does not have the bytes that it promises.");
  }
  await writeFile(join(folder, PREVIEW_FILE_NAME), bytes);
  const { remaining, limit } = preview.quota.product;
  const left = `${remaining} of ${limit} previews left today`;
  printDone(`preview of ${request.selectedSizeIds[0]}`, `${width}×${height}, no credits; ${left}`);
  console.log(`  predicted ${describePrediction(preview)}`);
  return preview;
}

/** Orders the pack and waits for it. Returns the pack and its duration. */
async function drawPack(client: CreativePacks, request: CreatePack) {
  const startedMs = performance.now();
  const drawn = await client.packs.create(request);
  try {
    await drawn.wait({
      pollMs: POLL_MS,
      signal: AbortSignal.timeout(PACK_MS_MAX),
      onProgress: ({ completed, total }) => {
        if (process.stdout.isTTY) process.stdout.write(`  ${completed} of ${total} sizes drawn\r`);
      },
    });
  } catch (thrown) {
    if (!(thrown instanceof AbortedError)) throw thrown;
    throw new Failure(`Job ${drawn.id} is still ${drawn.status} after ${formatSeconds(PACK_MS_MAX)}.`);
  }
  const renderMs = performance.now() - startedMs;
  printDone(`${drawn.job.progress.completed} sizes drawn`, formatSeconds(renderMs));
  return { drawn, renderMs };
}

/** Empties the pack's own folder. Folders of other packs stay. */
export async function emptyPackFolder(outputFolder: string, packName: string): Promise<string> {
  const folder = join(outputFolder, packName);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  return folder;
}

/** Runs the flow from the uploads to the files on disk. */
export async function makePack(
  client: CreativePacks,
  pack: DemoPack,
  outputFolder: string,
): Promise<MadePack> {
  const assetIds: Record<string, string> = {};
  for (const sample of pack.files) assetIds[sample.slot] = await uploadSample(client, sample);
  const request = { ...pack.request, assetIds };
  const { previewSizeId } = pack;
  const preview =
    previewSizeId === undefined
      ? null
      : await previewPack(client, { ...request, selectedSizeIds: [previewSizeId] }, outputFolder);
  const { drawn, renderMs } = await drawPack(client, request);

  const folder = await emptyPackFolder(outputFolder, pack.name);
  await drawn.download(folder);
  const zip = await drawn.zip();
  const zipName = `${pack.name}.zip`;
  await writeFile(join(folder, zipName), zip);
  const [job, artifact] = [drawn.job, await drawn.manifest()];
  return { pack, preview, job, artifact, zipName, zipBytes: zip.byteLength, renderMs };
}

/** Prints the pack's files, one per line, then its ZIP. */
export function formatFiles({ artifact, pack, zipName, zipBytes, renderMs }: MadePack): string {
  const lines = artifact.files.map(({ fileName, width, height, byteLength, compliance }) => {
    const { byteCap, verdict } = compliance;
    const bytes = `${formatBytes(byteLength)} of ${byteCap === null ? "any" : formatBytes(byteCap)}`;
    return `  ${fileName.padEnd(38)} ${`${width}×${height}`.padEnd(10)} ${bytes.padEnd(20)} ${verdict}`;
  });
  const zip = `demo-output/${pack.name}/${zipName}, ${formatBytes(zipBytes)}`;
  return `${lines.join("\n")}\n  ${zip}; ${artifact.files.length} files in ${formatSeconds(renderMs)}`;
}
