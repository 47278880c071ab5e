import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "../../scripts/demo/client.ts";
import { type Aim, atMost, type BenchCase, type Row } from "../bench-case.ts";
import { peakBytesOf, residentBytesOf } from "../clock/process-figures.ts";
import type { Picture, PictureName } from "../pictures/pictures.ts";
import { startBenchWorker } from "../workerd/bench-worker.ts";
import { drawJob } from "../workerd/jobs.ts";
import { startService } from "../workerd/service.ts";
import { uploadAsset } from "../workerd/upload.ts";
import type { PackTask } from "../workers/tasks.ts";
import { readLogo, TEN_SIZE_IDS, WORDS } from "./design.ts";

const MEGABYTE = 1_000_000;
/** What an isolate may hold is 128 MB; a quarter of it is left to everything else in flight. */
const OVER_IDLE_MB_MAX = 96;

const SMALL: PictureName = "tiny-jpeg";
const LARGE: readonly PictureName[] = [
  ...(["48mp-jpeg", "48mp-jpeg-progressive", "48mp-png", "48mp-webp", "48mp-webp-lossless"] as const),
];

/** Bytes of a process: before its first request, and the most it has held. */
interface Footprint {
  readonly idle: number;
  readonly peak: number;
}

const overIdle = ({ idle, peak }: Footprint): number => (peak - idle) / MEGABYTE;

/** Uploads in one process, the job in the next, over the same storage: an upload's memory is not the job's. */
async function measureService(picture: Picture): Promise<{ upload: Footprint; job: Footprint }> {
  const { mimeType, bytes, width, height } = picture;
  const stateFolder = await mkdtemp(join(tmpdir(), "creative-packs-memory-"));
  try {
    const receiving = await startService({ stateFolder });
    let upload: Footprint;
    let secret: string;
    let assetIds: Readonly<Record<"logo" | "media", string>>;
    try {
      secret = (await receiving.openWorkspace(100)).secret;
      const client = createClient(receiving.worker.origin, secret);
      const idle = residentBytesOf(receiving.worker.pid);
      const logo = await uploadAsset(client, {
        ...{ slotId: "logo", mimeType: "image/svg+xml", bytes: await readLogo(), size: null },
      });
      const media = await uploadAsset(client, { slotId: "media", mimeType, bytes, size: { width, height } });
      assetIds = { logo, media };
      upload = { idle, peak: peakBytesOf(receiving.worker.pid) };
    } finally {
      await receiving.stop();
    }
    const drawing = await startService({ stateFolder });
    try {
      const idle = residentBytesOf(drawing.worker.pid);
      await drawJob(createClient(drawing.worker.origin, secret), {
        ...{ contractId: "campaign.v1", selectedSizeIds: [...TEN_SIZE_IDS], outputFormat: "jpg" },
        ...{ assetIds, copy: WORDS },
      });
      return { upload, job: { idle, peak: peakBytesOf(drawing.worker.pid) } };
    } finally {
      await drawing.stop();
    }
  } finally {
    await rm(stateFolder, { recursive: true, force: true });
  }
}

/** The same pack by the renderer alone, which was handed the files: one isolate, no simulators. */
async function measureRenderer({ mimeType, bytes }: Picture): Promise<Footprint> {
  const worker = await startBenchWorker("renderer.ts");
  try {
    const idle = residentBytesOf(worker.pid);
    await worker.hold("photo", bytes);
    await worker.hold("logo", await readLogo());
    const task: PackTask = {
      ...{ media: { asset: "photo", mimeType }, logo: "logo", copy: WORDS },
      ...{ sizeIds: TEN_SIZE_IDS, motion: "static", format: "jpg" },
    };
    await worker.ask("/pack", task);
    return { idle, peak: peakBytesOf(worker.pid) };
  } finally {
    await worker.stop();
  }
}

export const memoryCase: BenchCase = {
  id: "memory",
  title: "Memory for one pack of ten: the most that a fresh process held, over the idle process",
  run: async ({ pictures, progress }) => {
    const rows: Row[] = [];
    const aims: Aim[] = [];
    let smallJobMb = Number.NaN;
    for (const name of [SMALL, ...LARGE]) {
      const picture = await pictures.open(name);
      progress(picture.title);
      const { upload, job } = await measureService(picture);
      const alone = await measureRenderer(picture);
      const jobMb = overIdle(job);
      if (name === SMALL) smallJobMb = jobMb;
      rows.push({
        label: `${picture.title}, ${(picture.bytes.byteLength / 2 ** 20).toFixed(1)} MiB`,
        figures: {
          "idle service MB": job.idle / MEGABYTE,
          "job MB": jobMb,
          "job over smallest MB": jobMb - smallJobMb,
          "renderer alone MB": overIdle(alone),
          "upload MB": overIdle(upload),
        },
      });
      if (name !== SMALL)
        aims.push(atMost(`${picture.title}, MB of a job over idle`, jobMb, OVER_IDLE_MB_MAX));
    }
    return {
      rows,
      aims,
      absences: [],
      notes: [
        "A local process also holds the simulators of D1, R2, the queue and the objects, and compiled code.",
        "The first row is the same flow with a picture too small to matter: what all of that takes by itself.",
        "Uploads are measured in a process before the job's; the renderer alone is handed the file by a request.",
      ],
    };
  },
};
