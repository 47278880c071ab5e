import { inRoot } from "../../scripts/local/paths.ts";
import { type Absence, atLeast, atMost, type BenchCase, type Row, type Target } from "../bench-case.ts";
import { type Contestant, sideBySide } from "../clock/side-by-side.ts";
import { startProcess } from "../competitors/task-process.ts";
import type { Picture, PictureName } from "../pictures/pictures.ts";
import { type BenchWorker, startBenchWorker } from "../workerd/bench-worker.ts";
import type { DecodeTask } from "../workers/tasks.ts";

const WIDTH = 1080;
const ROUNDS = 5;
const TIMES_FASTER_MIN = 3.9;
const WEBP_TIMES_FASTER_MIN = 3.3;

interface Measured {
  readonly name: PictureName;
  /** Decodings per measurement; more for fast images, because the clock has steps of 10 ms. */
  readonly times: number;
  readonly width?: number;
  readonly timesFasterMin?: number;
  /** Maximum CPU time relative to the 12 MP JPEG in sRGB. */
  readonly timesSrgbMax?: number;
}

const PICTURES: readonly Measured[] = [
  { name: "12mp-jpeg", times: 4 },
  { name: "12mp-jpeg-p3", times: 4, timesSrgbMax: 1.3 },
  { name: "12mp-jpeg-cmyk", times: 4, timesSrgbMax: 3 },
  { name: "12mp-png", times: 1 },
  { name: "12mp-webp", times: 1, timesFasterMin: WEBP_TIMES_FASTER_MIN },
  // A quarter of the width. At this or a smaller scale, the decoder may skip the loop filter.
  { name: "12mp-webp", times: 1, width: 1000, timesFasterMin: WEBP_TIMES_FASTER_MIN },
  { name: "48mp-jpeg", times: 1 },
  { name: "48mp-jpeg-progressive", times: 1 },
  { name: "48mp-png", times: 1 },
  { name: "48mp-webp", times: 1 },
  { name: "48mp-webp-lossless", times: 1 },
];

const COMPETITORS = { photon: "/photon", jSquash: "/jsquash" } as const;

/** Starts a worker that keeps the image in memory. */
async function startWithImage(script: string, { name, bytes }: Picture): Promise<BenchWorker> {
  const worker = await startBenchWorker(script);
  await worker.hold(name, bytes);
  return worker;
}

const firstSentence = (thrown: unknown): string =>
  (thrown instanceof Error ? thrown.message : String(thrown)).replace(/^(Error|RuntimeError): /, "");

async function measurePicture(picture: Picture, times: number, width: number) {
  const height = Math.round((picture.height * width) / picture.width);
  const { name: asset, mimeType } = picture;
  const task: DecodeTask = { asset, mimeType, width, height, times };
  const ours = await startWithImage("renderer.ts", picture);
  const sharp = startProcess(inRoot("bench/competitors/sharp-decoder.ts"));
  const contestants: Contestant[] = [
    { name: "ours", cpuMs: ours.cpuMs, run: () => ours.ask("/decode", task) },
    {
      name: "sharp",
      cpuMs: sharp.cpuMs,
      run: () => sharp.ask({ path: picture.path, width, height, times }),
    },
  ];
  const workers = [ours];
  const absences: Absence[] = [];
  try {
    await ours.ask("/decode", { ...task, times: 1 });
    for (const [name, path] of Object.entries(COMPETITORS)) {
      const worker = await startWithImage("codecs.ts", picture);
      workers.push(worker);
      try {
        await worker.ask(path, { ...task, times: 1 });
        contestants.push({ name, cpuMs: worker.cpuMs, run: () => worker.ask(path, task) });
      } catch (thrown) {
        absences.push({ what: `${name}, ${picture.title}`, why: firstSentence(thrown) });
      }
    }
    const measured = await sideBySide(contestants, ROUNDS, 0);
    const cpuMs = (name: string) => {
      const sample = measured.get(name);
      return sample === undefined ? null : sample.cpuMs / times;
    };
    return { cpuMs, absences };
  } finally {
    sharp.stop();
    await Promise.all(workers.map((worker) => worker.stop()));
  }
}

export const decodeCase: BenchCase = {
  id: "decode",
  title: `CPU time to decode to a width of ${WIDTH} pixels`,
  run: async ({ pictures, progress }) => {
    const rows: Row[] = [];
    const targets: Target[] = [];
    const absences: Absence[] = [];
    let srgbMs = Number.NaN;
    for (const { name, times, width = WIDTH, timesFasterMin = TIMES_FASTER_MIN, timesSrgbMax } of PICTURES) {
      const picture = await pictures.open(name);
      const title = width === WIDTH ? picture.title : `${picture.title} to ${width} pixels`;
      progress(title);
      const { cpuMs, absences: missing } = await measurePicture(picture, times, width);
      absences.push(...missing);
      const ours = cpuMs("ours") ?? Number.NaN;
      const competitors = Object.keys(COMPETITORS).flatMap((competitor) => cpuMs(competitor) ?? []);
      const faster = competitors.length === 0 ? null : Math.min(...competitors) / ours;
      const sharp = cpuMs("sharp");
      rows.push({
        label: `${title}, ${(picture.bytes.byteLength / 2 ** 20).toFixed(1)} MiB`,
        figures: {
          "ours ms": ours,
          "photon ms": cpuMs("photon"),
          "jSquash ms": cpuMs("jSquash"),
          "sharp ms": sharp,
          "faster of the two / ours": faster,
          "ours / sharp": sharp === null ? null : ours / sharp,
        },
      });
      if (faster !== null) {
        targets.push(atLeast(`${title}, times faster than photon and jSquash`, faster, timesFasterMin));
      }
      if (name === "12mp-jpeg") srgbMs = ours;
      if (timesSrgbMax !== undefined)
        targets.push(atMost(`${title}, CPU time over sRGB`, ours / srgbMs, timesSrgbMax));
    }
    return {
      rows,
      targets,
      absences,
      notes: [
        "Photon and jSquash decode whole images and scale with Lanczos. jSquash scales encoded values, which is faster than scaling in linear light.",
        "Each image is measured in fresh processes, because WASM memory does not shrink.",
      ],
    };
  },
};
