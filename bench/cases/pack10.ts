import { inRoot } from "../../scripts/local/paths.ts";
import { atLeast, atMost, type BenchCase } from "../bench-case.ts";
import { type Contestant, sideBySide } from "../clock/side-by-side.ts";
import { compositionOf } from "../competitors/composition.ts";
import type { ComposeTask } from "../competitors/sharp-composer.ts";
import { startProcess } from "../competitors/task-process.ts";
import { TEN_SIZE_IDS, WORDS } from "../pack-of-ten.ts";
import { readLogo } from "../pictures/logo.ts";
import type { Picture } from "../pictures/pictures.ts";
import { type BenchWorker, startBenchWorker } from "../workerd/bench-worker.ts";
import type { PackAnswer, PackTask } from "../workers/tasks.ts";

const ROUNDS = 5;
const TIMES_FASTER_THAN_SATORI_MIN = 8;
const OF_SHARP_MAX = 0.85;
const LOGO_PATH = inRoot("samples/logo.svg");

const OURS = "this renderer, in workerd";
const SATORI = "satori + resvg + mozjpeg, in workerd";
const SHARP = "sharp, one thread";

async function holdBoth(worker: BenchWorker, photo: Picture): Promise<void> {
  await worker.hold("photo", photo.bytes);
  await worker.hold("logo", await readLogo());
}

export const pack10Case: BenchCase = {
  id: "pack10",
  title: "Ten sizes in JPEG from a 12 MP JPEG, a logo, a headline and a button",
  run: async ({ pictures, progress }) => {
    const photo = await pictures.open("12mp-jpeg");
    progress("starting the contestants");
    const ours = await startBenchWorker("renderer.ts");
    const satori = await startBenchWorker("satori.ts");
    const sharp = startProcess(inRoot("bench/competitors/sharp-composer.ts"));
    try {
      await holdBoth(ours, photo);
      await holdBoth(satori, photo);
      const task: PackTask = {
        media: { asset: "photo", mimeType: photo.mimeType },
        logo: "logo",
        copy: WORDS,
        sizeIds: TEN_SIZE_IDS,
        motion: "static",
        format: "jpg",
      };
      const drawn = await ours.ask<PackAnswer>("/pack", task);
      const compositions = drawn.outputs.map(compositionOf);
      const sharpTask: ComposeTask = { photoPath: photo.path, logoPath: LOGO_PATH, compositions };
      const contestants: Contestant[] = [
        { name: OURS, cpuMs: ours.cpuMs, run: () => ours.ask("/pack", task) },
        { name: SATORI, cpuMs: satori.cpuMs, run: () => satori.ask("/", compositions) },
        { name: SHARP, cpuMs: sharp.cpuMs, run: () => sharp.ask(sharpTask) },
      ];
      progress(`${ROUNDS} packs each, in turn`);
      const measured = await sideBySide(contestants, ROUNDS);
      const cpuMs = (name: string) => measured.get(name)?.cpuMs ?? Number.NaN;
      return {
        rows: [...measured].map(([label, sample]) => ({
          label,
          figures: {
            "CPU ms": sample.cpuMs,
            "CPU ms an output": sample.cpuMs / TEN_SIZE_IDS.length,
            "wall ms": sample.wallMs,
            "CPU / ours": sample.cpuMs / cpuMs(OURS),
          },
        })),
        targets: [
          atLeast(
            "times faster than satori + resvg, CPU",
            cpuMs(SATORI) / cpuMs(OURS),
            TIMES_FASTER_THAN_SATORI_MIN,
          ),
          atMost("times the CPU time of sharp", cpuMs(OURS) / cpuMs(SHARP), OF_SHARP_MAX),
        ],
        absences: [],
        notes: [
          "All draw the same boxes, crops and type sizes; only this renderer also computes them, and checks contrast.",
          "satori gets the uploaded photograph in full size, as is usual; sharp decodes it once for all sizes.",
          "All JPEGs are encoded by mozjpeg at quality 85.",
        ],
      };
    } finally {
      sharp.stop();
      await Promise.all([ours.stop(), satori.stop()]);
    }
  },
};
