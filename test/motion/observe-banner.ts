import type { BrowserContext, Page } from "playwright-core";
import sharp from "sharp";
import type { BannerServer, Files } from "./banner-server.ts";

/** A browser's observations of a banner. Frames are RGB pixels. */
export interface ObservedBanner {
  readonly lastFrame: Uint8Array;
  /** The last frame with `prefers-reduced-motion`. */
  readonly reducedFrame: Uint8Array;
  /** Ink of headline and price in the first frame, relative to the last frame. */
  readonly readableShare: number;
  /** Time at which the longest animation ends, in ms. */
  readonly endMs: number;
  readonly plays: number;
  /** Paths of requested files. */
  readonly asked: readonly string[];
  /** Requested URLs outside the banner's origin, all blocked. */
  readonly outside: readonly string[];
  /** Console errors and uncaught exceptions. */
  readonly errors: readonly string[];
  /** Whether a click opened the landing page. */
  readonly opened: boolean;
}

const PAINTED = "await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));";
/** Waits until animations play before it finishes them. Otherwise Chromium keeps their blurred pixels. */
const TO_END = `(async () => {
  const animations = document.getAnimations();
  await Promise.all(animations.map((one) => one.ready));
  ${PAINTED}
  for (const one of animations) one.finish();
  await Promise.all(animations.map((one) => one.finished));
  ${PAINTED}
  const timings = animations.map((one) => one.effect.getComputedTiming());
  const most = (name) => Math.max(0, ...timings.map((timing) => timing[name]));
  return { endMs: most("endTime"), plays: most("iterations") };
})()`;

/**
 * Opens a banner and observes it. Replaces the value of its click tag with the address of a landing page, as ad servers
 * do.
 */
export async function observeBanner(
  context: BrowserContext,
  server: BannerServer,
  name: string,
  files: Files,
  { width, height }: { readonly width: number; readonly height: number },
): Promise<ObservedBanner> {
  const target = `${server.origin}/landed/${name}`;
  const asked = server.add(name, { ...files, "index.html": withClickTag(files["index.html"], target) });
  const page = await context.newPage();
  await page.setViewportSize({ width, height });
  const [outside, errors]: [string[], string[]] = [[], []];
  page.on("request", (request) => {
    if (new URL(request.url()).origin !== server.origin) outside.push(request.url());
  });
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  page.on("pageerror", (error) => errors.push(error.message));
  await page.goto(`${server.origin}/${name}/index.html`);
  const timing: Pick<ObservedBanner, "endMs" | "plays"> = await page.evaluate(TO_END);
  const lastFrame = await frameOf(page);
  const lastInk = await inkOf(page);
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.evaluate(`(async () => { ${PAINTED} })()`);
  const reducedFrame = await frameOf(page);
  // Restarts all animations in the paused state. If they were paused later, Chromium might show an earlier frame.
  await page.addStyleTag({ content: "#ad * { animation-play-state: paused !important }" });
  await page.emulateMedia({ reducedMotion: "no-preference" });
  const readableShare = (await inkOf(page)) / lastInk;
  const opened = await opensOnClick(page, target);
  await page.close();
  return { ...timing, lastFrame, reducedFrame, readableShare, asked, outside, errors, opened };
}

/** The click tag's address before an ad server replaces it. */
export const CLICK_URL = "https://example.com/";

const withClickTag = (html: Uint8Array | undefined, target: string): Uint8Array =>
  new TextEncoder().encode(new TextDecoder().decode(html).replaceAll(`"${CLICK_URL}"`, `"${target}"`));

const CLICK_WAIT_MS = 5_000;

async function opensOnClick(page: Page, target: string): Promise<boolean> {
  const popup = page.waitForEvent("popup", { timeout: CLICK_WAIT_MS }).catch(() => null);
  await page.click("#click");
  const opened = await popup;
  if (opened === null) return false;
  await opened.waitForURL(target, { timeout: CLICK_WAIT_MS });
  await opened.close();
  return true;
}

/**
 * The ink of headline and price: the sum of squares of their coverage of each pixel, which blur reduces. The coverage
 * is computed from a frame on white and one on black, so that the colours of text and background do not matter.
 */
async function inkOf(page: Page): Promise<number> {
  await page.addStyleTag({ content: WORDS_ALONE });
  const [onWhite, onBlack] = [await frameOn(page, "white"), await frameOn(page, "black")];
  return onWhite.reduce((sum, value, at) => sum + (1 - (value - (onBlack[at] ?? 0)) / 255) ** 2, 0);
}

const WORDS_ALONE = `
  [data-ground], [data-ground] body, [data-ground] #ad { background: var(--ground) !important }
  [data-ground] #ad * { visibility: hidden !important }
  [data-ground] #ad :is([id^=headline], [id^=price], [id^=headline] *, [id^=price] *) { visibility: visible !important }`;

async function frameOn(page: Page, ground: "white" | "black"): Promise<Uint8Array> {
  await page.evaluate(`document.documentElement.dataset.ground = "";
    document.documentElement.style.setProperty("--ground", "${ground}");`);
  const frame = await frameOf(page);
  await page.evaluate("delete document.documentElement.dataset.ground;");
  return frame;
}

const frameOf = async (page: Page): Promise<Uint8Array> => pixelsOf(await page.screenshot());

/** The RGB pixels of a picture. */
export const pixelsOf = async (picture: Uint8Array): Promise<Uint8Array> =>
  new Uint8Array(await sharp(picture).removeAlpha().raw().toBuffer());
