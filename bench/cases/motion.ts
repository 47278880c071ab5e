import { mkdtemp, open, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import sharp from "sharp";
import type { AnimatedFormat } from "#catalogue/types.ts";
import { freeRaster } from "#renderer/buffers.ts";
import { loadFonts } from "#renderer/compose/scene.ts";
import type { PackInputs, PreparedPack } from "#renderer/index.ts";
import { composeAnimation } from "#renderer/motion/compose-animation.ts";
import { VIDEO } from "#renderer/motion/timeline.ts";
import { runFfmpeg } from "../../test/support/ffmpeg.ts";
import { catalogueSize, draw, fileOf, inputsOf, withPack } from "../../test/support/renderer.ts";
import { atMost, type BenchCase, type Row } from "../bench-case.ts";
import { cpuMsOf, peakBytesOf, residentBytesOf } from "../clock/process-figures.ts";
import { timed } from "../clock/sample.ts";
import { WORDS } from "../pack-of-ten.ts";
import { readLogo } from "../pictures/logo.ts";
import type { Picture } from "../pictures/pictures.ts";
import { startBenchWorker } from "../workerd/bench-worker.ts";
import { startObjectStore } from "../workerd/object-store.ts";
import type { IsolateAnswer, IsolateTask } from "../workers/tasks.ts";

const VIDEO_SIZE = "meta-story-1080x1920";
const BANNER_SIZE = "iab-300x250";
const CPU_SECONDS_MAX = 60;
const OVER_IDLE_MB_MAX = 96;
const SAMPLE_MS = 500;
/**
 * Range of CRF values for x264. A search finds the largest value at which x264 is as similar to the frames as our
 * video.
 */
const CRF_BEST = 12;
const CRF_WORST = 36;

const MEGABYTE = 1_000_000;
/** CPU time of this process and of child processes that have ended. */
const cpuMs = (): number => cpuMsOf(process.pid);

/** Renders every frame of an animation and frees it after `use`. Resolves to the durations of the frames. */
async function drawFrames(
  pack: PreparedPack,
  sizeId: string,
  format: AnimatedFormat,
  use: (pixels: Uint8Array) => Promise<unknown>,
): Promise<readonly number[]> {
  const size = catalogueSize(sizeId);
  await loadFonts(pack, { size });
  const composed = composeAnimation(pack, { size }, format);
  if (!composed.ok) throw new Error(composed.message);
  const { delaysMs, draw: drawFrame, close } = composed.value;
  for (const frame of delaysMs.keys()) {
    const raster = drawFrame(frame);
    await use(new Uint8Array(raster.pixels.buffer, raster.pixels.byteOffset, raster.pixels.length));
    freeRaster(raster);
  }
  close();
  return delaysMs;
}

/** Similarity of a video to the rendered frames, both in `yuv420p`: SSIM of all planes, averaged over all frames. */
async function similarityOf(path: string, drawn: readonly string[]): Promise<number> {
  const stats = await runFfmpeg("ffmpeg", [
    ...["-i", path, ...drawn, "-lavfi", "[0:v][1:v]ssim=stats_file=-", "-f", "null", "-"],
  ]);
  const frames = [...stats.toString().matchAll(/All:([\d.]+)/g)].map(([, value]) => Number(value));
  return frames.reduce((sum, one) => sum + one, 0) / frames.length;
}

/** Our MP4 compared with that of x264, from the same rendered frames. */
async function compareVideo(inputs: PackInputs, folder: string): Promise<readonly Row[]> {
  const { width, height } = catalogueSize(VIDEO_SIZE);
  const path = (name: string): string => join(folder, name);
  return withPack(inputs, async (pack) => {
    const size = catalogueSize(VIDEO_SIZE);
    await draw(pack, { size, motion: "animated", format: "mp4" });
    let bytes: Uint8Array<ArrayBufferLike> = new Uint8Array();
    const ours = await timed(cpuMs, async () => {
      ({ bytes } = fileOf(await draw(pack, { size, motion: "animated", format: "mp4" })));
    });
    await writeFile(path("ours.mp4"), bytes);
    const drawing = await timed(cpuMs, () => drawFrames(pack, VIDEO_SIZE, "mp4", async () => undefined));
    const file = await open(path("drawn.rgba"), "w");
    await drawFrames(pack, VIDEO_SIZE, "mp4", (pixels) => file.write(pixels));
    await file.close();

    const rate = String(VIDEO.framesPerSecond);
    const raw = (format: string) => [
      "-f",
      "rawvideo",
      "-pix_fmt",
      format,
      "-s",
      `${width}x${height}`,
      "-r",
      rate,
    ];
    const held = `tpad=stop_mode=clone:stop=-1,trim=end_frame=${VIDEO.frames},scale=out_color_matrix=bt709:out_range=tv`;
    await runFfmpeg("ffmpeg", [
      ...[
        "-y",
        ...raw("rgba"),
        "-i",
        path("drawn.rgba"),
        "-vf",
        held,
        "-f",
        "rawvideo",
        "-pix_fmt",
        "yuv420p",
      ],
      path("drawn.yuv"),
    ]);
    const drawn = [...raw("yuv420p"), "-i", path("drawn.yuv")];
    const encode = (crf: number) =>
      runFfmpeg("ffmpeg", [
        ...["-y", ...drawn, "-c:v", "libx264", "-preset", "veryfast", "-threads", "1", "-crf", String(crf)],
        path("x264.mp4"),
      ]);
    const similarity = await similarityOf(path("ours.mp4"), drawn);
    let [best, worst] = [CRF_BEST, CRF_WORST];
    while (best < worst) {
      const middle = Math.ceil((best + worst) / 2);
      await encode(middle);
      if ((await similarityOf(path("x264.mp4"), drawn)) >= similarity) best = middle;
      else worst = middle - 1;
    }
    const x264 = await timed(cpuMs, () => encode(best));
    const row = (label: string, ms: number, size: number | null, ssim: number | null): Row => ({
      label,
      figures: { "CPU ms": ms, KB: size === null ? null : size / 1000, SSIM: ssim },
    });
    return [
      row(
        "MP4 1080x1920, 6 s: this renderer, drawing and backup included",
        ours.cpuMs,
        bytes.length,
        similarity,
      ),
      row("drawing its frames alone", drawing.cpuMs, null, null),
      row(
        `x264 veryfast, one thread, crf ${best}, given the frames`,
        x264.cpuMs,
        (await stat(path("x264.mp4"))).size,
        await similarityOf(path("x264.mp4"), drawn),
      ),
    ];
  });
}

/** Our GIF compared with that of sharp, from the same rendered frames; and our HTML5 banner. */
const compareBanner = (inputs: PackInputs): Promise<readonly Row[]> =>
  withPack(inputs, async (pack) => {
    const size = catalogueSize(BANNER_SIZE);
    const landing = { network: "google", clickUrl: "https://example.com/" } as const;
    const measure = async (format: AnimatedFormat) => {
      let length = 0;
      const sample = await timed(cpuMs, async () => {
        const output = await draw(pack, { size, motion: "animated", format, landing });
        length = fileOf(output).bytes.length;
      });
      return { "CPU ms": sample.cpuMs, KB: length / 1000, SSIM: null };
    };
    const frames: Uint8Array[] = [];
    const delay = await drawFrames(pack, BANNER_SIZE, "gif", async (pixels) => frames.push(pixels.slice()));
    const { width, height } = size;
    const raw = { width, height: height * frames.length, channels: 4, pageHeight: height } as const;
    let length = 0;
    const theirs = await timed(cpuMs, async () => {
      length = (
        await sharp(Buffer.concat(frames), { raw })
          .gif({ delay: [...delay] })
          .toBuffer()
      ).length;
    });
    await measure("gif");
    return [
      { label: "GIF 300x250: this renderer, drawing and backup included", figures: await measure("gif") },
      {
        label: "sharp, given the frames, without a cap",
        figures: { "CPU ms": theirs.cpuMs, KB: length / 1000, SSIM: null },
      },
      { label: "HTML5 300x250: this renderer", figures: await measure("html5") },
    ];
  });

/** Memory of a process without simulators while it encodes a video: sampled bytes above idle, and their peak. */
async function memoryCurve({ bytes, mimeType }: Picture) {
  const store = await startObjectStore({ photo: bytes, logo: await readLogo() });
  const worker = await startBenchWorker("isolate.ts");
  try {
    await setTimeout(SAMPLE_MS * 4);
    const idle = residentBytesOf(worker.pid);
    const task: IsolateTask = {
      origin: store.origin,
      copy: WORDS,
      sizeIds: [VIDEO_SIZE],
      motion: "animated",
      format: "mp4",
      media: { name: "photo", mimeType },
      logo: { name: "logo", mimeType: "image/svg+xml" },
    };
    const held: number[] = [];
    const drawn = worker.ask<IsolateAnswer>("/", task).then(() => true);
    while (!(await Promise.race([drawn, setTimeout(SAMPLE_MS, false)]))) {
      held.push((residentBytesOf(worker.pid) - idle) / MEGABYTE);
    }
    return { held, peak: (peakBytesOf(worker.pid) - idle) / MEGABYTE, cpuSeconds: worker.cpuMs() / 1000 };
  } finally {
    await worker.stop();
    await store.stop();
  }
}

export const motionCase: BenchCase = {
  id: "motion",
  title: "Animations: MP4 compared with x264, GIF compared with sharp, and an HTML5 banner",
  run: async ({ pictures, progress }) => {
    const photo = await pictures.open("12mp-jpeg");
    const { mimeType } = photo;
    const assets = {
      media: { bytes: new Uint8Array(await readFile(photo.path)), mimeType },
      logo: { bytes: await readLogo(), mimeType: "image/svg+xml" },
    } as const;
    const inputs = inputsOf({ assets, copy: WORDS });
    const folder = await mkdtemp(join(tmpdir(), "motion-"));
    try {
      progress("a video");
      const video = await compareVideo(inputs, folder);
      progress("banners");
      const banner = await compareBanner(inputs);
      progress("memory");
      const { held, peak, cpuSeconds } = await memoryCurve(photo);
      return {
        rows: [...video, ...banner],
        targets: [
          atMost("seconds of CPU of a video, in workerd", cpuSeconds, CPU_SECONDS_MAX),
          atMost("MB of a video over idle, at most", peak, OVER_IDLE_MB_MAX),
        ],
        absences: [],
        notes: [
          `MB above idle while the video is encoded, every ${SAMPLE_MS / 1000} s: ${held.map((mb) => mb.toFixed(0)).join(", ")}.`,
          "x264 encodes at the lowest quality that is at least as similar to the rendered frames as our video: SSIM in yuv420p, averaged over all frames.",
          "The rows are measured in Node.js. Memory and targets are measured in workerd, whose CPU time includes its start.",
        ],
      };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};
