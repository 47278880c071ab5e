import { createClient } from "../../scripts/demo/client.ts";
import { type Aim, atMost, type BenchCase, type Row } from "../bench-case.ts";
import { peakBytesOf, residentBytesOf } from "../clock/process-figures.ts";
import type { Picture, PictureName } from "../pictures/pictures.ts";
import { drawJob } from "../workerd/jobs.ts";
import { startService } from "../workerd/service.ts";
import { uploadAsset } from "../workerd/upload.ts";
import { readLogo, TEN_SIZE_IDS, WORDS } from "./design.ts";

const MEGABYTE = 1_000_000;
/** What an isolate may hold is 128 MB; a third of it is left to everything else in flight. */
const OVER_IDLE_MB_MAX = 96;

const SMALL: PictureName = "tiny-jpeg";
const LARGE: readonly PictureName[] = [
  ...(["48mp-jpeg", "48mp-jpeg-progressive", "48mp-png", "48mp-webp", "48mp-webp-lossless"] as const),
];

interface Footprint {
  /** Before the first request. */
  readonly idle: number;
  /** The most it was until the upload was complete, and until the job was. */
  readonly afterUpload: number;
  readonly afterJob: number;
}

/** One upload and one job in a process of their own. */
async function measureFlow({ mimeType, bytes, width, height }: Picture): Promise<Footprint> {
  const service = await startService();
  try {
    const client = createClient(service.worker.origin, (await service.openWorkspace(100)).secret);
    const { pid } = service.worker;
    const idle = residentBytesOf(pid);
    const logo = await uploadAsset(client, {
      ...{ slotId: "logo", mimeType: "image/svg+xml", bytes: await readLogo(), size: null },
    });
    const media = await uploadAsset(client, { slotId: "media", mimeType, bytes, size: { width, height } });
    const afterUpload = peakBytesOf(pid);
    await drawJob(client, {
      ...{ contractId: "campaign.v1", selectedSizeIds: [...TEN_SIZE_IDS], outputFormat: "jpg" },
      ...{ assetIds: { media, logo }, copy: WORDS },
    });
    return { idle, afterUpload, afterJob: peakBytesOf(pid) };
  } finally {
    await service.stop();
  }
}

export const memoryCase: BenchCase = {
  id: "memory",
  title: "Memory of the whole local service for one pack of ten",
  run: async ({ pictures, progress }) => {
    const rows: Row[] = [];
    const aims: Aim[] = [];
    let small: Footprint | null = null;
    for (const name of [SMALL, ...LARGE]) {
      const picture = await pictures.open(name);
      progress(picture.title);
      const footprint = await measureFlow(picture);
      small ??= footprint;
      const over = (footprint.afterJob - footprint.idle) / MEGABYTE;
      rows.push({
        label: `${picture.title}, ${(picture.bytes.byteLength / 2 ** 20).toFixed(1)} MiB`,
        figures: {
          "idle MB": footprint.idle / MEGABYTE,
          "peak of upload MB": footprint.afterUpload / MEGABYTE,
          "peak of job MB": footprint.afterJob / MEGABYTE,
          "over idle MB": over,
          "over the smallest MB": (footprint.afterJob - small.afterJob) / MEGABYTE,
        },
      });
      if (name !== SMALL)
        aims.push(atMost(`${picture.title}, MB over the idle process`, over, OVER_IDLE_MB_MAX));
    }
    return {
      rows,
      aims,
      absences: [],
      notes: [
        "The process also holds the simulators of D1, R2, the queue and the objects, and every isolate's heap.",
        "The first row is the same flow with a picture too small to matter: what the platform itself takes.",
      ],
    };
  },
};
