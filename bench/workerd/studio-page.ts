import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { openBrowser } from "../../test/conformance/support/browser.ts";

/** The Studio in a browser with an empty cache. */
export interface StudioPage {
  readonly page: Page;
  /** Gzipped bytes loaded since the last call: scripts of pages, scripts of workers, and files of the engine. */
  readonly takeBytes: () => Promise<Loaded>;
  /** The browser's own metrics of the open page in ms; `shift` has no unit (Layout Instability API). */
  readonly vitals: () => Promise<Vitals>;
  readonly close: () => Promise<void>;
}

export interface Loaded {
  readonly pageScripts: number;
  readonly workerScripts: number;
  readonly engineFiles: number;
}

export interface Vitals {
  readonly firstPaintMs: number;
  readonly largestPaintMs: number;
  readonly blockedMs: number;
  readonly shift: number;
}

/** Collects the browser's metrics. It runs before the scripts of the page. */
const OBSERVER = `
  window.vitals = { firstPaintMs: 0, largestPaintMs: 0, blockedMs: 0, shift: 0 };
  const observe = (type, take) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true });
  observe("paint", (entry) => { if (entry.name === "first-contentful-paint") vitals.firstPaintMs = entry.startTime; });
  observe("largest-contentful-paint", (entry) => { vitals.largestPaintMs = entry.startTime; });
  observe("longtask", (entry) => { vitals.blockedMs += Math.max(0, entry.duration - 50); });
  observe("layout-shift", (entry) => { if (!entry.hadRecentInput) vitals.shift += entry.value; });
  addEventListener("input", (event) => { window.inputMs = event.timeStamp; }, true);
`;

/** Opens the Studio's first page. Rejects if there is no browser. */
export async function openStudio(origin: string): Promise<StudioPage> {
  const browser = await openBrowser();
  const context = await browser.newContext({ viewport: { width: 1600, height: 1000 } });
  const page = await context.newPage();
  await page.addInitScript(OBSERVER);
  let bodies: Promise<{ readonly kind: keyof Loaded; readonly bytes: number }>[] = [];
  const counted = new Set<string>();
  context.on("response", (response) => {
    const kind = kindOf(response.url());
    // Two workers load the same script; count it once.
    if (kind === null || !response.ok() || counted.has(response.url())) return;
    counted.add(response.url());
    const sized = response.body().then((body) => ({ kind, bytes: gzipSync(body).byteLength }));
    // Bodies are no longer available after a navigation. They were counted before it.
    bodies.push(sized.catch(() => ({ kind, bytes: 0 })));
  });
  await page.goto(origin, { waitUntil: "networkidle" });
  return {
    page,
    takeBytes: async () => {
      const taken = await Promise.all(bodies);
      bodies = [];
      const sum = (kind: keyof Loaded): number =>
        taken.reduce((total, one) => total + (one.kind === kind ? one.bytes : 0), 0);
      return {
        pageScripts: sum("pageScripts"),
        workerScripts: sum("workerScripts"),
        engineFiles: sum("engineFiles"),
      };
    },
    vitals: () => page.evaluate("vitals"),
    close: () => browser.close(),
  };
}

function kindOf(url: string): keyof Loaded | null {
  const { pathname } = new URL(url);
  if (/\/drawing-worker[^/]*\.js$/.test(pathname)) return "workerScripts";
  if (pathname.endsWith(".js")) return "pageScripts";
  return /\.(?:wasm|weights|ttf)$/.test(pathname) ? "engineFiles" : null;
}
