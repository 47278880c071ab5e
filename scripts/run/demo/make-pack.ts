import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  AbortedError,
  type CreatePack,
  type CreativePacks,
  type Manifest,
  type Pack,
} from "../../../sdk/src/index.ts";
import { Failure } from "../../local/failure.ts";
import { formatSeconds } from "./figures.ts";
import type { DemoPack } from "./packs.ts";
import { previewPack, type SavedPreview } from "./preview-pack.ts";
import { createProgressBar } from "./progress-bar.ts";
import { uploadSample } from "./upload.ts";

/** Reads 400 times a minute, under the fixed window for reads. */
const POLL_MS = 150;
/** A pack takes seconds; after this the machine or the queue is stuck. */
const PACK_MS_MAX = 150_000;

export type PackFile = Manifest["files"][number];

/** A finished pack as it was fetched. */
export interface MadePack {
  readonly pack: DemoPack;
  /** What was looked at before it was bought. */
  readonly preview: SavedPreview | null;
  readonly job: Pack["job"];
  readonly artifact: Manifest;
  /** Folder of the files and the ZIP. */
  readonly folder: string;
  readonly zipName: string;
  readonly zipBytes: number;
  /** From the job's creation to its success, as the client saw it. */
  readonly renderMs: number;
}

/** Orders the pack and waits for it, with a bar for its outputs. Returns it and how long it took. */
async function drawPack(
  client: CreativePacks,
  request: CreatePack,
): Promise<{ drawn: Pack; renderMs: number }> {
  const startedMs = performance.now();
  const elapsedMs = () => performance.now() - startedMs;
  const total = request.selectedSizeIds.length;
  const bar = createProgressBar(`rendering ${total} sizes`);
  const show = (completed: number) =>
    bar.show(completed, total, `${completed}/${total}  ${formatSeconds(elapsedMs())}`);
  show(0);
  const drawn = await client.packs.create(request);
  try {
    await drawn.wait({
      pollMs: POLL_MS,
      signal: AbortSignal.timeout(PACK_MS_MAX),
      onProgress: ({ completed }) => show(completed),
    });
  } catch (thrown) {
    if (!(thrown instanceof AbortedError)) throw thrown;
    throw new Failure(`Job ${drawn.id} is still ${drawn.status} after ${formatSeconds(PACK_MS_MAX)}.`);
  }
  bar.end(`${drawn.job.progress.completed}/${total}  ${formatSeconds(elapsedMs())}`);
  return { drawn, renderMs: elapsedMs() };
}

/** A pack's own folder, without what an earlier run left; the folders and pages of other packs stay. */
export async function emptyPackFolder(outputFolder: string, packName: string): Promise<string> {
  const folder = join(outputFolder, packName);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  return folder;
}

/** Plays the flow from the uploads to the files on disk. */
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
  return { pack, preview, job, artifact, folder, zipName, zipBytes: zip.byteLength, renderMs };
}
