import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { inRoot } from "../../scripts/local/paths.ts";
import { type Absence, atLeast, atMost, type BenchCase, type Target } from "../bench-case.ts";
import { type Contestant, sideBySide } from "../clock/side-by-side.ts";
import { type Chromium, findChromium, startChromium } from "../competitors/chromium.ts";
import { pageOf } from "../competitors/page.ts";
import type { ComposeTask } from "../competitors/sharp-composer.ts";
import { startProcess } from "../competitors/task-process.ts";
import { TEN_SIZE_IDS, WORDS } from "../pack-of-ten.ts";
import type { Picture } from "../pictures/pictures.ts";
import { type BenchWorker, startBenchWorker } from "../workerd/bench-worker.ts";
import type { PackAnswer, PackTask } from "../workers/tasks.ts";
import { type Composition, compositionOf } from "./composition.ts";
import { readLogo } from "./design.ts";

const ROUNDS = 5;
const QUALITY = 85;
const LOGO_PATH = inRoot("samples/logo.svg");

const OURS = "this renderer, in workerd";
const SATORI = "satori + resvg + mozjpeg, in workerd";
const SHARP = "sharp, one thread";
const CHROMIUM = "Chromium, headless, running already";

/** Writes a page for each composition and gives their addresses. */
async function writePages(folder: string, compositions: readonly Composition[], photo: Picture) {
  return Promise.all(
    compositions.map(async (composition) => {
      const path = join(folder, `${composition.sizeId}.html`);
      await writeFile(path, pageOf(composition, photo.path, LOGO_PATH));
      const { width, height } = composition;
      return { url: pathToFileURL(path).href, width, height };
    }),
  );
}

async function holdBoth(worker: BenchWorker, photo: Picture): Promise<void> {
  await worker.hold("photo", photo.bytes);
  await worker.hold("logo", await readLogo());
}

export const pack10Case: BenchCase = {
  id: "pack10",
  title: "Ten sizes in JPEG from a 12 MP JPEG, a logo, a headline and a button",
  run: async ({ pictures, progress }) => {
    const photo = await pictures.open("12mp-jpeg");
    const folder = await mkdtemp(join(tmpdir(), "creative-packs-pack10-"));
    progress("starting the contestants");
    const ours = await startBenchWorker("renderer.ts");
    const satori = await startBenchWorker("satori.ts");
    const sharp = startProcess(inRoot("bench/competitors/sharp-composer.ts"));
    const absences: Absence[] = [];
    let chromium: Chromium | null = null;
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
      const chromiumPath = findChromium();
      if (chromiumPath === null) {
        absences.push({ what: CHROMIUM, why: "there is no Chromium on this machine (Debian: chromium)" });
      } else {
        const browser = await startChromium(chromiumPath);
        chromium = browser;
        const pages = await writePages(folder, compositions, photo);
        contestants.push({
          name: CHROMIUM,
          cpuMs: browser.cpuMs,
          run: async () => {
            for (const { url, width, height } of pages) await browser.screenshot(url, width, height, QUALITY);
          },
        });
      }
      progress(`${ROUNDS} packs each, in turn`);
      const measured = await sideBySide(contestants, ROUNDS);
      const cpuMs = (name: string) => measured.get(name)?.cpuMs ?? Number.NaN;
      const targets: Target[] = [
        atLeast("times faster than satori + resvg, CPU", cpuMs(SATORI) / cpuMs(OURS), 5),
        atMost("times the CPU time of sharp", cpuMs(OURS) / cpuMs(SHARP), 2.5),
      ];
      if (chromium !== null) {
        targets.push(atLeast("times faster than Chromium, CPU", cpuMs(CHROMIUM) / cpuMs(OURS), 8));
      }
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
        targets,
        absences,
        notes: [
          "All draw the same boxes, crops and sizes of type; only this renderer also finds them, and checks contrast.",
          "satori is given the photograph as it was uploaded, as its users do; sharp decodes it once for all sizes.",
          "All JPEGs at quality 85; Chromium's is libjpeg-turbo's, the others are mozjpeg's.",
        ],
      };
    } finally {
      sharp.stop();
      await Promise.all([ours.stop(), satori.stop(), chromium?.stop()]);
      await rm(folder, { recursive: true, force: true });
    }
  },
};
