import { setTimeout } from "node:timers/promises";
import { atMost, type BenchCase, type Row, type Target } from "../bench-case.ts";
import { peakBytesOf, residentBytesOf } from "../clock/process-figures.ts";
import { TEN_SIZE_IDS, WORDS } from "../pack-of-ten.ts";
import { readLogo } from "../pictures/logo.ts";
import type { Picture, PictureName } from "../pictures/pictures.ts";
import { type BenchWorker, startBenchWorker } from "../workerd/bench-worker.ts";
import { startObjectStore } from "../workerd/object-store.ts";
import type { CompletionTask, IsolateAnswer, IsolateTask } from "../workers/tasks.ts";

const MEGABYTE = 1_000_000;
/** An isolate may use 128 MB; a quarter is reserved for other requests. */
const OVER_IDLE_MB_MAX = 96;

const SMALL: PictureName = "tiny-jpeg";
const LARGE: readonly PictureName[] = [
  ...(["48mp-jpeg", "48mp-jpeg-progressive", "48mp-png", "48mp-webp", "48mp-webp-lossless"] as const),
];

/** Memory of a process in bytes: before its first request, and at its peak. */
interface Footprint {
  readonly idle: number;
  readonly peak: number;
}

const overIdle = ({ idle, peak }: Footprint): number => (peak - idle) / MEGABYTE;

const SETTLED_MS = 400;

/** Waits until the memory of an idle process has stopped growing. */
async function settledBytesOf(pid: number): Promise<number> {
  for (let before = residentBytesOf(pid); ; ) {
    await setTimeout(SETTLED_MS);
    const now = residentBytesOf(pid);
    if (now === before) return now;
    before = now;
  }
}

/** Measures the memory of one request in a process without simulators; see workers/isolate.ts. */
async function measureIsolate(
  { bytes }: Picture,
  request: (worker: BenchWorker, origin: string) => Promise<void>,
): Promise<Footprint> {
  const store = await startObjectStore({ photo: bytes, logo: await readLogo() });
  const worker = await startBenchWorker("isolate.ts");
  try {
    const idle = await settledBytesOf(worker.pid);
    await request(worker, store.origin);
    return { idle, peak: peakBytesOf(worker.pid) };
  } finally {
    await worker.stop();
    await store.stop();
  }
}

/** Memory for rendering a pack of ten with the code of the queue consumer. */
const measurePack = (picture: Picture): Promise<Footprint> =>
  measureIsolate(picture, async (worker, origin) => {
    const task: IsolateTask = {
      origin,
      copy: WORDS,
      sizeIds: TEN_SIZE_IDS,
      motion: "static",
      format: "jpg",
      media: { name: "photo", mimeType: picture.mimeType },
      logo: { name: "logo", mimeType: "image/svg+xml" },
    };
    const { files } = await worker.ask<IsolateAnswer>("/", task);
    if (files !== TEN_SIZE_IDS.length) throw new Error(`${files} files were made`);
  });

/** Memory for completing an upload with the code that checks the file. */
const measureCompletion = (picture: Picture): Promise<Footprint> =>
  measureIsolate(picture, async (worker, origin) => {
    const { mimeType, width, height } = picture;
    const task: CompletionTask = { origin, picture: { name: "photo", mimeType, width, height } };
    await worker.ask<IsolateAnswer>("/completion", task);
  });

export const memoryCase: BenchCase = {
  id: "memory",
  title: "Memory for a pack of ten: peak of a fresh process above idle",
  run: async ({ pictures, progress }) => {
    const rows: Row[] = [];
    const targets: Target[] = [];
    for (const name of [SMALL, ...LARGE]) {
      const picture = await pictures.open(name);
      progress(picture.title);
      const pack = await measurePack(picture);
      const completionMb = overIdle(await measureCompletion(picture));
      const packMb = overIdle(pack);
      rows.push({
        label: `${picture.title}, ${(picture.bytes.byteLength / 2 ** 20).toFixed(1)} MiB`,
        figures: {
          "idle MB": pack.idle / MEGABYTE,
          "pack MB": packMb,
          "completion MB": completionMb,
        },
      });
      if (name === SMALL) continue;
      targets.push(
        atMost(`${picture.title}, MB of a pack over idle`, packMb, OVER_IDLE_MB_MAX),
        atMost(`${picture.title}, MB of a completed upload over idle`, completionMb, OVER_IDLE_MB_MAX),
      );
    }
    return {
      rows,
      targets,
      absences: [],
      notes: [
        "The measured process is a workerd that renders a pack as a queue message requests it, or completes an upload. Files, renditions and outputs are stored in another process, as on the platform.",
        "The figures include memory outside the isolate: pages of the runtime that are first used by the pack, compiled code, running compilers, and freed memory that the allocator keeps. The first row is an image whose own size does not matter.",
      ],
    };
  },
};
