import { createHash } from "node:crypto";
import type { Browser, Page } from "playwright-core";
import { onTestFinished } from "vitest";
import { TEN_SIZE_IDS } from "../../bench/pack-of-ten.ts";
import { type EnginePage, openEnginePage } from "../../scripts/make/studio/engine-page.ts";
import { openBrowser } from "../conformance/support/browser.ts";
import { readSample } from "../support/renderer.ts";

/** Opens the engine's trial page in a browser, and calls it from tests. */
export interface Trial {
  readonly browser: Browser;
  readonly site: EnginePage;
  readonly close: () => Promise<void>;
}

/** Opens the trial page's site. `more` are files by name that a trial may fetch besides the samples. */
export async function openTrial(more: Readonly<Record<string, Uint8Array>> = {}): Promise<Trial> {
  const names = ["dandelion.jpg", "bottle.png", "figure.png", "logo.svg", "fonts/tajawal-bold.ttf"];
  const samples = names.map((name) => [`/samples/${name}`, readSample(name)] as const);
  const others = Object.entries(more).map(([name, bytes]) => [`/samples/${name}`, bytes] as const);
  const site = await openEnginePage(new Map([...samples, ...others]));
  const browser = await openBrowser();
  const close = async (): Promise<void> => {
    await browser.close();
    await site.close();
  };
  return { browser, site, close };
}

/** A new page without a grid, and the errors that it reported. `script` runs before the page's scripts. */
export async function openTab(
  { browser, site }: Trial,
  script = "",
): Promise<{ readonly page: Page; readonly complaints: readonly string[] }> {
  const context = await browser.newContext();
  // Close the page, because its workers keep decoded pictures in memory.
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  page.on("pageerror", ({ message }) => complaints.push(message));
  if (script !== "") await page.addInitScript(script);
  await page.goto(site.origin);
  return { page, complaints };
}

const asset = (name: string, mimeType: string) => ({ url: `/samples/${name}`, mimeType });

export const WORDS = { headline: "Two wheels, no excuses", cta: "Ride one today" };

/**
 * Inputs of a grid of ten sizes with a photo, a logo and a short text, without watermark and at full size. `own`
 * overrides some of them.
 */
export const gridInputs = (own: object = {}) => ({
  assets: { media: asset("dandelion.jpg", "image/jpeg"), logo: asset("logo.svg", "image/svg+xml") },
  copy: WORDS,
  brand: {},
  look: "classic",
  variant: 1,
  placements: {},
  overrides: {},
  motion: "static",
  outputFormat: "png",
  protection: "none",
  markSeed: 0,
  sizes: TEN_SIZE_IDS.map((sizeId) => ({ sizeId, widthPx: 4_000, isVisible: true })),
  ...own,
});

export { asset };

export interface TrialFault {
  readonly code: string;
  readonly slot: string | null;
}

/** Result of `trial.draw` in studio/trial/trial-page.ts. */
export interface DrawnGrid {
  readonly status: string;
  readonly fault: TrialFault | null;
  readonly faultyFiles: Readonly<Record<string, TrialFault>>;
  /** Measured facts of the pictures, by slot. */
  readonly pictures: Readonly<Record<string, { readonly colours: readonly { readonly colour: string }[] }>>;
  readonly tiles: readonly {
    readonly sizeId: string;
    readonly fault: TrialFault | null;
    readonly drawn: {
      readonly width: number;
      readonly height: number;
      readonly sha256: string;
      readonly layout: object;
      readonly compliance: { readonly verdict: string };
      readonly play: { readonly delaysMs: readonly number[] };
    } | null;
  }[];
}

/** Calls a function of the page's `trial` with JSON values. */
export const ask = <T>(page: Page, name: string, ...given: readonly unknown[]): Promise<T> =>
  page.evaluate(`trial.${name}(${given.map((one) => JSON.stringify(one)).join(", ")})`);

export const sha256 = (bytes: Uint8Array | Uint8ClampedArray): string =>
  createHash("sha256").update(new Uint8Array(bytes)).digest("hex");
