import { unzipSync } from "fflate";
import type { Browser, BrowserContext } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { NEWEST_CONTRACTS } from "#catalogue/contracts.ts";
import { LOOK_IDS, type LookId } from "#catalogue/looks.ts";
import type { BannerNetwork, Size } from "#catalogue/types.ts";
import { type Copy, FAMILIES, type PreparedPack } from "#renderer/index.ts";
import { openBrowser } from "../conformance/support/browser.ts";
import { FAMILY_ASSETS } from "../renderer/pack-fixtures.ts";
import { seededRandom } from "../support/pictures.ts";
import { draw, fileOf, inputsOf, renderer } from "../support/renderer.ts";
import { structuralSimilarity } from "../support/structural-similarity.ts";
import { unwrap } from "../support/unwrap.ts";
import { validateBanner } from "../support/validate-banner.ts";
import { type BannerServer, startBannerServer } from "./banner-server.ts";
import { CLICK_URL, type ObservedBanner, observeBanner, pixelsOf } from "./observe-banner.ts";

/**
 * Guarantee: a banner works in a browser under a strict policy and without network. It is legible in its first frame,
 * ends on the still, stops, opens the ad server's address, and meets every published rule.
 */

const SIMILAR = 0.99;
const READABLE_SHARE = 0.98;
const PLAYS_MAX = 3;
const TOTAL_MS_MAX = 15_000;
/** Pages open in parallel, so that the pixels of one page are compared while others load. */
const PAGES = 3;

/** Sizes of the newest contracts that accept banners. */
export const BANNER_SIZES: readonly Size[] = [
  ...new Map(
    NEWEST_CONTRACTS.flatMap(({ sizes }) => sizes)
      .filter(({ banner }) => banner !== undefined)
      .map((size) => [size.sizeId, size]),
  ).values(),
];

const SEED = Number(process.env.MOTION_SEED ?? Date.now() % 1_000_000);

function randomCopy(random: () => number): Copy {
  const one = (...words: readonly string[]): string => words[Math.floor(random() * words.length)] ?? "";
  return {
    headline: `${one("Soft", "Bright", "Made", "Ready")} ${one("for the long way", "as a first warm day", "to stay")}`,
    subheadline: one("Pressed cold in small batches.", "In store and online.", "Open all year."),
    cta: one("Find yours", "Shop now", "Start"),
    ...(random() < 0.5 && { price: one("€ 24.90", "$ 8", "129 kr"), badge: one("New", "−30 %") }),
  };
}

/** A pack with random texts and a random family, both determined by the seed. */
export async function randomPack(look: LookId): Promise<PreparedPack> {
  const random = seededRandom(SEED + LOOK_IDS.indexOf(look));
  const family = FAMILIES[Math.floor(random() * FAMILIES.length)] ?? "campaign";
  const inputs = inputsOf({ assets: FAMILY_ASSETS[family], look, copy: randomCopy(random) });
  return unwrap(await renderer.prepare(inputs));
}

export const drawBanner = (pack: PreparedPack, size: Size, network: BannerNetwork = "google") =>
  draw(pack, {
    size,
    motion: "animated",
    format: "html5",
    landing: { network, clickUrl: CLICK_URL },
  });

/** Tests every look in every size, and each other network in the first look and size. */
export function bannersWork(looks: readonly LookId[], sizes: readonly Size[]): void {
  let browser: Browser;
  let context: BrowserContext;
  let server: BannerServer;
  beforeAll(async () => {
    server = await startBannerServer();
    browser = await openBrowser();
    context = await browser.newContext();
    await context.route(
      ({ origin }) => origin !== server.origin,
      (route) => route.abort(),
    );
  });
  afterAll(async () => {
    await browser.close();
    server.close();
  });

  const faultsOf = async (
    look: LookId,
    pack: PreparedPack,
    size: Size,
    network: BannerNetwork,
  ): Promise<readonly string[]> => {
    const output = await drawBanner(pack, size, network);
    const file = fileOf(output);
    const files = unzipSync(file.bytes);
    const name = `${look}-${size.sizeId}-${network}`;
    const [still, seen] = await Promise.all([
      draw(pack, { size: { ...size, byteCap: null }, motion: "static", format: "png" }).then((drawn) =>
        pixelsOf(fileOf(drawn).bytes),
      ),
      observeBanner(context, server, name, files, size),
    ]);
    const like = (frame: Uint8Array): number =>
      structuralSimilarity(frame, still, size.width, size.height, 3);
    const faults: Record<string, boolean> = {
      [`first frame has ${seen.readableShare} of the words`]: seen.readableShare < READABLE_SHARE,
      [`last frame ${like(seen.lastFrame)}`]: like(seen.lastFrame) < SIMILAR,
      [`reduced motion ${like(seen.reducedFrame)}`]: like(seen.reducedFrame) < SIMILAR,
      [`${seen.plays} plays, ${seen.endMs} ms`]:
        seen.plays > PLAYS_MAX || seen.endMs > TOTAL_MS_MAX || seen.endMs === 0,
      [`${seen.asked.length} requests`]: seen.asked.length > (size.banner?.filesMax ?? 0),
      ...faultsOfNetwork(network, seen),
    };
    const verdicts = file.compliance.checks.filter(({ passed }) => !passed).map(({ rule }) => rule);
    const breaches = network === "google" ? validateBanner(file.bytes) : [];
    const broken = Object.keys(faults).filter((fault) => faults[fault]);
    return [...broken, ...verdicts, ...breaches].map((fault) => `${name}: ${fault}`);
  };

  describe(`HTML5 banners (MOTION_SEED=${SEED})`, () => {
    it.each(looks)("work in the look %s in every size", { timeout: 300_000 }, async (look) => {
      const pack = await randomPack(look);
      const left = [...sizes];
      const faults: string[] = [];
      const work = async (): Promise<void> => {
        for (let size = left.pop(); size !== undefined; size = left.pop())
          faults.push(...(await faultsOf(look, pack, size, "google")));
      };
      await Promise.all(Array.from({ length: PAGES }, work));
      pack.close();
      expect(faults).toEqual([]);
    });

    it.each(["adform", "amazon", "xandr"] as const)("work for %s without its library", async (network) => {
      const look = looks[0] ?? "classic";
      const pack = await randomPack(look);
      const [size] = sizes;
      const faults = size === undefined ? ["no size"] : await faultsOf(look, pack, size, network);
      pack.close();
      expect(faults).toEqual([]);
    });
  });
}

const LIBRARIES: Partial<Record<BannerNetwork, string>> = {
  adform: "https://s1.adform.net/banners/scripts/rmb/Adform.DHTML.js",
  xandr: "https://acdn.adnxs.com/html5-lib/1.4.1/appnexus-html5-lib.min.js",
};

/**
 * The unexpected observations. Two are expected: the policy blocks the network's library, which logs a console error,
 * and without Xandr's library a click has no address.
 */
function faultsOfNetwork(network: BannerNetwork, seen: ObservedBanner): Record<string, boolean> {
  const library = LIBRARIES[network];
  const isLibrary = (text: string): boolean => library !== undefined && text.includes(library);
  const errors = seen.errors.filter((error) => !isLibrary(error));
  const outside = seen.outside.filter((address) => !isLibrary(address));
  return {
    [`errors: ${errors.join(", ")}`]: errors.length > 0 && network !== "xandr",
    [`outside: ${outside.join(", ")}`]: outside.length > 0,
    "a click does not open the address": !seen.opened && network !== "xandr",
  };
}
