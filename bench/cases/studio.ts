import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { inRoot } from "../../scripts/local/paths.ts";
import { signUpOnPage } from "../../test/studio/support/sign-up.ts";
import { atMost, type BenchCase } from "../bench-case.ts";
import { median, percentile } from "../clock/statistics.ts";
import { startDevService } from "../workerd/dev-service.ts";
import { openStudio } from "../workerd/studio-page.ts";

const KEYSTROKES = 30;
const WARM_UPS = 5;
const FIRST_LOAD_KB_MAX = 150;
const FIRST_PICTURE_MS_MAX = 400;
const KEYSTROKE_MS_MAX = 200;

/** Times from the input event, measured by the grid (`studio/src/engine/stopwatch.ts`). */
interface GridTimes {
  /** Milliseconds until the first changed tile. */
  readonly firstMs: number;
  /** Milliseconds until all tiles are painted. */
  readonly allMs: number;
}

/** Waits for the frame that shows the grid after the last input. */
const timesOfLastInput = (page: Page): Promise<GridTimes> =>
  page.evaluate(`new Promise((resolve) => {
    const endOf = (name) => {
      const [entry] = performance.getEntriesByName(name);
      return entry === undefined || entry.startTime < inputMs ? null : entry.startTime + entry.duration;
    };
    const look = () => {
      const [first, all] = [endOf("grid: first tile"), endOf("grid: all tiles")];
      if (first === null || all === null) return requestAnimationFrame(look);
      requestAnimationFrame(() => requestAnimationFrame(() =>
        resolve({ firstMs: first - inputMs, allMs: performance.now() - inputMs })));
    };
    look();
  })`);

/** Waits until the editor's engine has run once in each worker. Returns the milliseconds since the call. */
const waitUntilWarm = (page: Page): Promise<number> =>
  page.evaluate(`new Promise((resolve) => {
    const openedMs = performance.now();
    const look = () => {
      const [mark] = performance.getEntriesByName("grid: warm");
      if (mark === undefined) return requestAnimationFrame(look);
      resolve(Math.max(0, mark.startTime - openedMs));
    };
    look();
  })`);

async function signUp(page: Page): Promise<void> {
  await page.click('a[href="/sign-up"]');
  await signUpOnPage(page, "Bench", "bench@example.com");
  await page.waitForURL(/\/create/);
}

export const studioCase: BenchCase = {
  id: "studio",
  title: "The Studio in Chromium: script sizes, first image, keystroke",
  run: async ({ pictures, progress }) => {
    const photo = await pictures.open("12mp-jpeg");
    progress("starting the service and a browser");
    const folder = await mkdtemp(join(tmpdir(), "creative-packs-studio-"));
    const service = await startDevService();
    const studio = await openStudio(service.origin).catch(async (error) => {
      await service.stop();
      throw error;
    });
    try {
      const { page } = studio;
      const vitals = await studio.vitals();
      const first = await studio.takeBytes();
      await signUp(page);
      const warmMs = await waitUntilWarm(page);
      progress("dropping a photo of 12 megapixels, then a logo");
      const photoPath = join(folder, "photo.jpg");
      await writeFile(photoPath, photo.bytes);
      await page.setInputFiles('input[type="file"]', photoPath);
      const dropped = await timesOfLastInput(page);
      const editor = await studio.takeBytes();
      await page.setInputFiles('input[type="file"]', inRoot("samples/logo.svg"));
      await timesOfLastInput(page);
      progress(`${KEYSTROKES} keystrokes`);
      const headline = page.getByLabel("Headline", { exact: true });
      await headline.fill("Two wheels");
      await timesOfLastInput(page);
      const typed: GridTimes[] = [];
      for (let count = -WARM_UPS; count < KEYSTROKES; count += 1) {
        await headline.press(count % 2 === 0 ? "s" : "Backspace");
        const times = await timesOfLastInput(page);
        if (count >= 0) typed.push(times);
      }
      const tiles = await page.locator("[data-size-id]").count();
      const all = typed.map(({ allMs }) => allMs);
      const kilobytes = (bytes: number) => bytes / 1_000;
      return {
        rows: [
          { label: "scripts of the first page", figures: { "KB gzip": kilobytes(first.pageScripts) } },
          { label: "more scripts of the editor", figures: { "KB gzip": kilobytes(editor.pageScripts) } },
          {
            label: "the renderer, in its worker",
            figures: { "KB gzip": kilobytes(editor.workerScripts) },
          },
          { label: "codecs, fonts, face detector", figures: { "KB gzip": kilobytes(editor.engineFiles) } },
          { label: "first contentful paint", figures: { "median ms": vitals.firstPaintMs } },
          { label: "largest contentful paint", figures: { "median ms": vitals.largestPaintMs } },
          { label: "main thread blocked", figures: { "median ms": vitals.blockedMs } },
          { label: "editor opened until its engine is warm", figures: { "median ms": warmMs } },
          { label: "12 MP photo dropped to the first size", figures: { "median ms": dropped.firstMs } },
          { label: `12 MP photo dropped to the grid of ${tiles}`, figures: { "median ms": dropped.allMs } },
          {
            label: "keystroke to the first changed size",
            figures: { "median ms": median(typed.map(({ firstMs }) => firstMs)) },
          },
          {
            label: `keystroke to the changed grid of ${tiles}`,
            figures: { "median ms": median(all), "p95 ms": percentile(all, 0.95) },
          },
        ],
        targets: [
          atMost("KB of script before the first page", kilobytes(first.pageScripts), FIRST_LOAD_KB_MAX),
          atMost("ms from a 12 MP photo to the first picture", dropped.firstMs, FIRST_PICTURE_MS_MAX),
          atMost("ms from a keystroke to the changed grid", median(all), KEYSTROKE_MS_MAX),
        ],
        absences: [],
        notes: [
          "The photo is dropped once the engine is warm.",
          "Times are the browser's, from the input event to the frame that shows the change.",
          "The service runs on the same cores as the browser and its two workers.",
          `Layout shift of the first page: ${vitals.shift.toFixed(3)}.`,
        ],
      };
    } finally {
      await studio.close();
      await service.stop();
      await rm(folder, { recursive: true, force: true });
    }
  },
};
