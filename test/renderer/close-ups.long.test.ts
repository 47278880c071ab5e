import { beforeAll, describe, expect, it } from "vitest";
import type { LookId } from "#catalogue/looks.ts";
import type { PreparedPack } from "#renderer/compose/prepared-pack.ts";
import type { Box, Copy, ElementRole, LayoutReport } from "#renderer/types.ts";
import { dimensions } from "../support/dimensions.ts";
import { sampleAsset } from "../support/renderer.ts";
import { boxIn, COPY, elementOf, prepared, reportAt, sizeOf, withFaces } from "./pack-fixtures.ts";

/**
 * Guarantee: a photo that cannot fill a region without cutting its head or group of heads is drawn smaller, but not
 * tiny. The subheadline is dropped before the photo becomes too small, and the button stays. A short text does not look
 * lost beside a portrait.
 */

const CLOSE_UP: Box = { x: 0.05, y: 0, width: 0.9, height: 1 };
const GROUP: readonly Box[] = [
  { x: 0.04, y: 0.24, width: 0.2, height: 0.3 },
  { x: 0.32, y: 0.13, width: 0.2, height: 0.3 },
  { x: 0.74, y: 0.08, width: 0.2, height: 0.3 },
];
const LONG = {
  headline: "Fourteen quiet houses by the sea, open all year",
  subheadline: "Wake up to the tide. Breakfast comes with the boat, and there is no reception to pass.",
  cta: "See all houses",
  disclaimer: "From two nights. Prices per house and night.",
} as const;

const packs = new Map<LookId, PreparedPack>();
beforeAll(async () => {
  const media = sampleAsset("dandelion-turned.jpg");
  const brand = { backgroundColor: "#f4f1ea" };
  for (const [look, logo] of [
    ["classic", "logo.svg"],
    ["playful", "logo.svg"],
    ["premium", "brands/aurelle.svg"],
  ] as const)
    packs.set(look, await prepared({ assets: { media, logo: sampleAsset(logo) }, brand, look, copy: LONG }));
});

function layoutOf(
  look: LookId,
  heads: readonly Box[],
  width: number,
  height: number,
  copy: Copy = LONG,
): LayoutReport {
  const pack = packs.get(look);
  if (pack === undefined) throw new Error("no such pack was prepared");
  return reportAt(withFaces(pack, heads), sizeOf(width, height), copy);
}

const boxOf = (layout: LayoutReport, role: ElementRole): Box | undefined => elementOf(layout, role)?.box;
const photoOf = (layout: LayoutReport): Box => boxIn(layout, "hero");

describe("a close-up", () => {
  it("is centred or reaches the edges, and is not tiny", () => {
    for (const [width, height] of dimensions("300x250 336x280 540x540 540x675")) {
      const place = photoOf(layoutOf("classic", [CLOSE_UP], width, height, COPY));
      const what = `${width}x${height} ${JSON.stringify(place)}`;
      const isOnEdge = place.x === 0 || place.x + place.width === width;
      const isInMiddle = Math.abs(place.x + place.width / 2 - width / 2) <= 1;
      const isFramed = place.y > 0 && place.y + place.height < height;
      expect(isOnEdge || isInMiddle || isFramed, what).toBe(true);
      expect(place.width * place.height, what).toBeGreaterThan(width * height * 0.12);
    }
  });

  it("drops fine print and subheadline before the photo becomes tiny", () => {
    for (const heads of [[CLOSE_UP], GROUP]) {
      const layout = layoutOf("classic", heads, 200, 200);
      const { width, height } = photoOf(layout);
      const isProseLeft = boxOf(layout, "subheadline") !== undefined;
      expect(isProseLeft && width * height < 200 * 200 * 0.15, JSON.stringify(layout.elements)).toBe(false);
      expect(boxOf(layout, "cta")).toBeDefined();
    }
  });

  it("keeps the button in a look that frames its photos or centres its text", () => {
    for (const heads of [[CLOSE_UP], GROUP]) {
      for (const [width, height] of dimensions("300x250 250x250 320x100")) {
        const layout = layoutOf("playful", heads, width, height);
        expect(boxOf(layout, "cta"), `${width}x${height}`).toBeDefined();
        expect(layout.adjustments.filter(({ code }) => code === "face_cut")).toEqual([]);
      }
    }
  });

  it("leaves no large gap in a skyscraper", () => {
    const layout = layoutOf("playful", [CLOSE_UP], 160, 600, { headline: "Stay a while", cta: "Book now" });
    const photo = photoOf(layout);
    const roles = ["logo", "headline", "cta"] as const;
    const places = [photo, ...roles.map((role) => boxIn(layout, role))].sort((one, other) => one.y - other.y);
    let end = 0;
    for (const place of places) {
      expect(place.y - end, JSON.stringify(layout.elements)).toBeLessThan(600 * 0.18);
      end = Math.max(end, place.y + place.height);
    }
  });
});

describe("a portrait on a leaderboard", () => {
  it("leaves no half-empty text column, and no tiny logo beside it", () => {
    const layout = layoutOf("classic", [{ x: 0.25, y: 0, width: 0.5, height: 0.72 }], 930, 180, {
      headline: "Stay a while",
      cta: "Book now",
    });
    const photo = photoOf(layout);
    const words = (["logo", "headline", "cta"] as const).flatMap((role) => boxOf(layout, role) ?? []);
    const start = Math.min(...words.map(({ x }) => x));
    const end = Math.max(...words.map(({ x, width }) => x + width));
    expect(end - start, JSON.stringify(layout.elements)).toBeGreaterThan((930 - photo.width) * 0.66);
    expect(boxOf(layout, "logo")?.height).toBeGreaterThan(180 * 0.12);
  });
});

describe("a portrait in a strip", () => {
  const HEAD: Box = { x: 0.3, y: 0.2, width: 0.34, height: 0.3 };

  it("is beside the logo, above the text, if a row has no room for all three", () => {
    const layout = layoutOf("classic", [HEAD], 120, 60, { headline: "Stay a while", cta: "Book now" });
    expect(photoOf(layout).height).toBe(60);
    expect(boxOf(layout, "logo")).toBeDefined();
    expect(layout.adjustments.filter(({ code }) => code === "face_cut")).toEqual([]);
  });

  it("is dropped before the button if there is no room for both", () => {
    const layout = layoutOf("premium", GROUP, 320, 50, {
      headline: "Made for the long way home",
      cta: "Shop now",
    });
    expect(boxOf(layout, "cta")).toBeDefined();
  });
});
