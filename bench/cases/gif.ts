import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { delaysMs } from "#renderer/motion/timeline.ts";
import { inRoot } from "../../scripts/local/paths.ts";
import { type Absence, atLeast, atMost, type BenchCase, type Target } from "../bench-case.ts";
import { cpuMsOf } from "../clock/process-figures.ts";
import { sideBySide } from "../clock/side-by-side.ts";
import type { FramesOnDisk } from "../competitors/animation.ts";
import { findFfmpeg, writeFfmpegGif } from "../competitors/ffmpeg.ts";
import type { SharpGifTask } from "../competitors/sharp-animator.ts";
import { startProcess } from "../competitors/task-process.ts";
import { WORDS } from "../pack-of-ten.ts";
import { animationSsim } from "../pictures/ssim.ts";
import { startBenchWorker } from "../workerd/bench-worker.ts";
import type { AnimationTask } from "../workers/tasks.ts";
import { readLogo } from "./design.ts";

const SIZE = { sizeId: "iab-300x250", width: 300, height: 250 } as const;
const BYTE_CAP = 150_000;
const ROUNDS = 5;
const TIMES_SHARP_MAX = 3;

/** A GIF that was written, and how it is written again. */
interface Candidate {
  readonly label: string;
  readonly bytes: number;
  readonly likeness: number;
  readonly run: () => Promise<unknown>;
  readonly cpuMs: () => number;
}

const COLOURS = [256, 192, 128, 64];
const SHARP_SETTINGS: readonly SharpGifTask["options"][] = COLOURS.flatMap((colours) =>
  [1, 0].flatMap((dither) =>
    [0, 8].map((interFrameMaxError) => ({ colours, dither, interFrameMaxError, effort: 7 })),
  ),
);
const FFMPEG_DITHERS = [
  "sierra2_4a",
  "floyd_steinberg",
  "bayer:bayer_scale=2",
  "bayer:bayer_scale=4",
  "none",
];

/** Of those that are at least as like the frames as ours, the smallest; else the one most like them. */
function matchOf(candidates: readonly Candidate[], likeness: number): Candidate {
  const asGood = candidates.filter((candidate) => candidate.likeness >= likeness);
  const [best] =
    asGood.length > 0
      ? [...asGood].sort((one, other) => one.bytes - other.bytes)
      : [...candidates].sort((one, other) => other.likeness - one.likeness);
  if (best === undefined) throw new Error("there is nothing to compare with");
  return best;
}

export const gifCase: BenchCase = {
  id: "gif",
  title: `Animated GIF, ${SIZE.width} × ${SIZE.height}, from the same frames`,
  run: async ({ pictures, progress }) => {
    const folder = await mkdtemp(join(tmpdir(), "creative-packs-gif-"));
    const worker = await startBenchWorker("animation.ts");
    const sharp = startProcess(inRoot("bench/competitors/sharp-animator.ts"));
    try {
      await worker.hold("photo", (await pictures.open("12mp-jpeg")).bytes);
      await worker.hold("logo", await readLogo());
      const task: AnimationTask = { sizeId: SIZE.sizeId, copy: WORDS, byteCap: BYTE_CAP };
      const pixels = await worker.askBytes("/frames", task);
      const frames: FramesOnDisk = {
        path: join(folder, "frames.rgba"),
        width: SIZE.width,
        height: SIZE.height,
        delaysMs: delaysMs(),
      };
      await writeFile(frames.path, pixels);
      const outputPath = join(folder, "competitor.gif");
      const candidateOf = async (label: string, run: Candidate["run"], cpuMs: Candidate["cpuMs"]) => {
        await run();
        const gif = await readFile(outputPath);
        return { label, bytes: gif.length, likeness: await animationSsim(gif, frames, pixels), run, cpuMs };
      };
      const gif = await worker.askBytes("/gif", task);
      const ours: Candidate = {
        label: "this renderer",
        bytes: gif.length,
        cpuMs: worker.cpuMs,
        likeness: await animationSsim(gif, frames, pixels),
        run: () => worker.askBytes("/gif", task),
      };
      progress(`${SHARP_SETTINGS.length} settings of sharp`);
      const bySharp: Candidate[] = [];
      for (const options of SHARP_SETTINGS) {
        const { colours, dither, interFrameMaxError } = options;
        const label = `sharp, ${colours} colours, dither ${dither}, error ${interFrameMaxError}`;
        const run = () => sharp.ask({ frames, options, outputPath });
        bySharp.push(await candidateOf(label, run, sharp.cpuMs));
      }
      const matches = [matchOf(bySharp, ours.likeness)];
      const absences: Absence[] = [];
      const ffmpeg = findFfmpeg();
      if (ffmpeg === null) {
        absences.push({ what: "ffmpeg", why: "there is no ffmpeg on this machine (Debian: ffmpeg)" });
      } else {
        const byFfmpeg: Candidate[] = [];
        for (const colours of COLOURS) {
          for (const dither of FFMPEG_DITHERS) {
            const run = () => writeFfmpegGif(ffmpeg, frames, { colours, dither }, outputPath);
            const label = `ffmpeg, ${colours} colours, ${dither}`;
            // Its CPU time is that of children this process has waited for.
            byFfmpeg.push(await candidateOf(label, run, () => cpuMsOf(process.pid)));
          }
        }
        matches.push(matchOf(byFfmpeg, ours.likeness));
      }
      progress("timing");
      const measured = await sideBySide(
        [ours, ...matches].map(({ label, run, cpuMs }) => ({ name: label, cpuMs, run: () => run() })),
        ROUNDS,
      );
      const cpuMs = ({ label }: Candidate) => measured.get(label)?.cpuMs ?? Number.NaN;
      const targets: Target[] = [atMost("bytes of the GIF", ours.bytes, BYTE_CAP)];
      for (const match of matches) {
        const [name = ""] = match.label.split(",", 1);
        targets.push(
          atLeast(`bytes of ${name}'s at the same SSIM, of ours`, match.bytes / ours.bytes, 1),
          atMost(`CPU time, in times of ${name}'s`, cpuMs(ours) / cpuMs(match), TIMES_SHARP_MAX),
        );
      }
      return {
        rows: [ours, ...matches].map((candidate) => ({
          label: candidate.label,
          figures: { bytes: candidate.bytes, SSIM: candidate.likeness, "CPU ms": cpuMs(candidate) },
        })),
        targets,
        absences,
        notes: [
          "Of each competitor the smallest file that is at least as like the frames as ours; where none is, its likest.",
          "Only writing the file is timed, the frames being drawn already.",
        ],
      };
    } finally {
      sharp.stop();
      await worker.stop();
      await rm(folder, { recursive: true, force: true });
    }
  },
};
