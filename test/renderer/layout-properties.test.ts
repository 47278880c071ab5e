import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { LOOK_IDS } from "#catalogue/looks.ts";
import { unionOf } from "#renderer/box-geometry.ts";
import { reportOf } from "#renderer/compose/layout-report.ts";
import type { PreparedPack } from "#renderer/compose/prepared-pack.ts";
import { composeScene, flattenScene, type Scene } from "#renderer/compose/scene.ts";
import { inset, isOverlapping } from "#renderer/layout/design/boxes.ts";
import { isRow } from "#renderer/layout/design/canvas-of-size.ts";
import { COPY_FIELD, isExtended } from "#renderer/layout/design/design.ts";
import { logoClearancePx, logoHeightPxMin } from "#renderer/layout/design/place-elements.ts";
import type { Box, Copy, ElementRole, LayoutReport } from "#renderer/types.ts";
import { sampleAsset } from "../support/renderer.ts";
import { FAMILY_ASSETS, prepared, sizeOf } from "./pack-fixtures.ts";
import { randomInputs } from "./random-assets.ts";

/** `npm run test:layout` runs 5,000 cases, which takes some minutes. */
const CASES = Number(process.env.LAYOUT_CASES ?? 60);
const SEED = Number(process.env.LAYOUT_SEED ?? 20_261_121);
const IS_LONG = CASES > 100;
const AREA_PX_MAX = IS_LONG ? 1_600_000 : 500_000;
/** Number of packs of generated pictures, logos and brand colours, besides the packs of the samples. */
const RANDOM_PACKS = IS_LONG ? 63 : 7;
const TIMEOUT_MS = IS_LONG ? 2_400_000 : 60_000;

const WORDS =
  "light|enough|to|carry|the|whole|summer|Überraschung|naïve|Ελληνικά|всегда|—|2026|100 %|Wi-Fi|Donaudampfschiff|a|of|soft".split(
    "|",
  );

const PRICES = ["€ 19.99", "9 €", "1 299,– €", "ab 1.299.999,00 € im Monat", "$5", "١٩٫٩٩ ر.س", "¥128,000"];
const BADGES = ["−40 %", "New", "Nur dieses Wochenende", "2 for 1", "Jetzt neu im Sortiment eingetroffen"];

const text = (lengthMax: number) =>
  fc
    .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 16 })
    .map((words) => words.join(" ").slice(0, lengthMax).trim())
    .filter((value) => value.length > 0);

const copies: fc.Arbitrary<Copy> = fc.record({
  headline: fc.option(text(90), { nil: undefined, freq: 6 }),
  subheadline: fc.option(text(140), { nil: undefined, freq: 2 }),
  cta: fc.option(text(28), { nil: undefined, freq: 3 }),
  disclaimer: fc.option(text(200), { nil: undefined, freq: 1 }),
  price: fc.option(fc.constantFrom(...PRICES), { nil: undefined, freq: 1 }),
  oldPrice: fc.option(fc.constantFrom(...PRICES), { nil: undefined, freq: 1 }),
  badge: fc.option(fc.constantFrom(...BADGES), { nil: undefined, freq: 1 }),
});

const edge = fc.oneof(
  fc.integer({ min: 16, max: 120 }),
  fc.integer({ min: 100, max: 700 }),
  fc.integer({ min: 600, max: 4096 }),
);
const dimensions = fc.oneof(
  { weight: 39, arbitrary: fc.tuple(edge, edge).filter(([width, height]) => width * height <= AREA_PX_MAX) },
  // Any width and height. Large canvases take seconds, so the quick run has none.
  { weight: IS_LONG ? 1 : 0, arbitrary: fc.tuple(edge, edge) },
);
const safeShares = fc.option(
  fc.record({
    top: fc.double({ min: 0, max: 0.3, noNaN: true }),
    bottom: fc.double({ min: 0, max: 0.35, noNaN: true }),
    left: fc.double({ min: 0, max: 0.2, noNaN: true }),
    right: fc.double({ min: 0, max: 0.2, noNaN: true }),
  }),
  { nil: null, freq: 2 },
);

describe("API §14.6 any size and any text", () => {
  const packs: PreparedPack[] = [];
  beforeAll(async () => {
    const families = Object.values(FAMILY_ASSETS);
    const { campaign, person, product, scenery } = FAMILY_ASSETS;
    const { background } = scenery;
    const photo = sampleAsset("bottle-photo.jpg");
    const greys = { primaryColor: "#777777", backgroundColor: "#808080", textColor: "#7f7f7f" };
    const given: readonly Parameters<typeof prepared>[0][] = [
      ...families.map((assets) => ({ assets })),
      { assets: { product: photo, logo: sampleAsset("logo.svg") } },
      { assets: { media: sampleAsset("dandelion.jpg"), secondaryMedia: photo } },
      { assets: { device: sampleAsset("phone.png"), background } },
      { assets: { ...person, background } },
      { assets: campaign, brand: { backgroundColor: "#f4f1ea" } },
      { assets: product, brand: greys },
      { assets: { ...product, background } },
      ...LOOK_IDS.map((look, at) => ({ assets: families[at % families.length] ?? campaign, look })),
    ];
    for (const inputs of given) packs.push(await prepared(inputs));
    for (let at = 0; at < RANDOM_PACKS; at += 1) {
      packs.push(
        await prepared({ ...(await randomInputs(SEED + at)), look: LOOK_IDS[at % LOOK_IDS.length] }),
      );
    }
  }, 600_000);

  it(`meets every layout rule, or is rejected because the headline does not fit (seed ${SEED}, ${CASES} cases)`, {
    timeout: TIMEOUT_MS,
  }, () => {
    let refused = 0;
    fc.assert(
      fc.property(fc.nat(), dimensions, safeShares, copies, (which, [width, height], shares, copy) => {
        const pack = packs[which % packs.length];
        if (pack === undefined) return;
        const safe =
          shares === null
            ? null
            : {
                top: Math.ceil(shares.top * height),
                right: Math.ceil(shares.right * width),
                bottom: Math.ceil(shares.bottom * height),
                left: Math.ceil(shares.left * width),
              };
        const size = sizeOf(width, height, safe);
        const scene = composeScene({ ...pack, copy }, { size });
        if (!scene.ok) {
          refused += 1;
          expect(scene.code).toBe("HEADLINE_DOES_NOT_FIT");
          return;
        }
        const report = reportOf(pack, scene.value, false);
        wordsStayInside(scene.value, report, width, height);
        nothingOverlaps(report);
        logoHasRoom(report);
        textIsLegible(report);
        safeAreaIsFree(report, width, height, safe);
        hierarchyHolds(report, copy);
        badgeHidesNothing(scene.value);
        picturesKeepTheirProportions(scene.value, report);
        photosLeaveNoGap(scene.value);
        wordsAreShownOrReported(copy, report);
        buttonGoesLast(copy, report);
        expect(flattenScene(scene.value, true).canvas.pixels.length).toBe(width * height * 4);
      }),
      { seed: SEED, numRuns: CASES },
    );
    // Otherwise a layout that always fails would pass.
    expect(refused).toBeLessThan(CASES * 0.5);
  });
});

const SET = ["headline", "subheadline", "cta", "disclaimer", "price", "old_price", "badge"] as const;
const right = (box: Box) => box.x + box.width;
const bottom = (box: Box) => box.y + box.height;

function wordsStayInside(scene: Scene, report: LayoutReport, width: number, height: number): void {
  for (const { role, box, parts } of scene.textLayers) {
    expect(box.x, role).toBeGreaterThanOrEqual(0);
    expect(box.y, role).toBeGreaterThanOrEqual(0);
    expect(right(box), role).toBeLessThanOrEqual(width);
    expect(bottom(box), role).toBeLessThanOrEqual(height);
    for (const { mask } of parts) {
      expect(mask.x, `${role} ink`).toBeGreaterThanOrEqual(Math.floor(box.x) - 1);
      expect(mask.y, `${role} ink`).toBeGreaterThanOrEqual(Math.floor(box.y) - 1);
      expect(right(mask), `${role} ink`).toBeLessThanOrEqual(Math.ceil(right(box)) + 1);
      expect(bottom(mask), `${role} ink`).toBeLessThanOrEqual(Math.ceil(bottom(box)) + 1);
    }
  }
  for (const { role, box } of report.elements.filter((element) => element.role === "logo")) {
    expect(box.x, role).toBeGreaterThanOrEqual(0);
    expect(right(box), role).toBeLessThanOrEqual(width);
    expect(bottom(box), role).toBeLessThanOrEqual(height);
  }
}

function nothingOverlaps(report: LayoutReport): void {
  const placed = report.elements.filter(({ role }) => role === "logo" || SET.some((text) => text === role));
  placed.forEach((one, at) => {
    for (const other of placed.slice(at + 1)) {
      expect(isOverlapping(one.box, other.box), `${one.role} over ${other.role}`).toBe(false);
    }
  });
}

function logoHasRoom(report: LayoutReport): void {
  const logo = report.elements.find(({ role }) => role === "logo");
  if (logo === undefined) return;
  const least = logoHeightPxMin((logo.box.width + 1) / logo.box.height, isRow(report.shape));
  expect(logo.box.height).toBeGreaterThanOrEqual(least);
  const clearance = logoClearancePx(logo.box.height) - 1;
  for (const { role, box } of report.elements) {
    if (!SET.some((text) => text === role)) continue;
    expect(isOverlapping(inset(logo.box, -clearance, -clearance), box), `${role} crowds the logo`).toBe(
      false,
    );
  }
}

function textIsLegible(report: LayoutReport): void {
  for (const { role, contrastRatio, fontSizePx } of report.elements) {
    if (!SET.some((text) => text === role)) continue;
    expect(contrastRatio, role).toBeGreaterThanOrEqual(4.5);
    if (role === "cta" && fontSizePx === undefined) continue;
    expect(fontSizePx, role).toBeGreaterThanOrEqual(10);
  }
}

/** The price is largest, then the headline. A long price may be smaller. Nothing is smaller than the fine print. */
function hierarchyHolds(report: LayoutReport, copy: Copy): void {
  const sizeOf = (role: ElementRole) => report.elements.find((element) => element.role === role)?.fontSizePx;
  const isAtLeast = (upper: ElementRole, lower: ElementRole) => {
    const [larger, smaller] = [sizeOf(upper), sizeOf(lower)];
    if (larger === undefined || smaller === undefined) return;
    expect(larger, `${upper} under ${lower}`).toBeGreaterThanOrEqual(smaller);
  };
  if ([...(copy.price ?? "")].length <= 12) isAtLeast("price", "headline");
  isAtLeast("headline", "subheadline");
  isAtLeast("headline", "disclaimer");
  isAtLeast("subheadline", "disclaimer");
  isAtLeast("price", "subheadline");
  isAtLeast("price", "disclaimer");
  isAtLeast("cta", "disclaimer");
  const [price, oldPrice] = [sizeOf("price"), sizeOf("old_price")];
  if (oldPrice === undefined) return;
  expect(price, "an old price without a price").toBeDefined();
  expect(oldPrice).toBeLessThan(price ?? 0);
}

/** A badge covers no important part of a picture. */
function badgeHidesNothing({ brief, arrangement: { design } }: Scene): void {
  const { badge } = design;
  if (badge === undefined) return;
  for (const picture of design.pictures) expect(brief.attentionOf(picture)(badge.box)).toBeLessThan(0.6);
}

function safeAreaIsFree(
  report: LayoutReport,
  width: number,
  height: number,
  safe: { top: number; right: number; bottom: number; left: number } | null,
): void {
  if (safe === null) return;
  for (const { role, box } of report.elements) {
    if (role !== "logo" && !SET.some((text) => text === role)) continue;
    expect(box.x, role).toBeGreaterThanOrEqual(safe.left);
    expect(box.y, role).toBeGreaterThanOrEqual(safe.top);
    expect(right(box), role).toBeLessThanOrEqual(width - safe.right);
    expect(bottom(box), role).toBeLessThanOrEqual(height - safe.bottom);
  }
}

/** The visible part of a source has the aspect of its region, give or take a pixel of rounding on either side. */
function picturesKeepTheirProportions({ arrangement: { design } }: Scene, report: LayoutReport): void {
  // Skip photos with an extended plain background, which crops do not include.
  if (design.pictures.some(isExtended)) return;
  const places = report.elements.filter(({ role }) => role === "hero" || role === "secondary_hero");
  places.forEach(({ box }, at) => {
    const crop = report.crops[at];
    if (crop === undefined) return;
    const [leastX, mostX] = scaleRange(box.width, crop.shown.width);
    const [leastY, mostY] = scaleRange(box.height, crop.shown.height);
    expect(Math.max(leastX, leastY), "stretched").toBeLessThanOrEqual(Math.min(mostX, mostY));
  });
}

/** Maximum change of a length by rounding its two ends, in pixels. */
const ROUNDING_PX = 0.9;

/** Minimum and maximum scale of a length, if both lengths may be rounded. */
const scaleRange = (drawn: number, source: number): readonly [number, number] => [
  (drawn - ROUNDING_PX) / (source + ROUNDING_PX),
  source <= ROUNDING_PX ? Number.POSITIVE_INFINITY : (drawn + ROUNDING_PX) / (source - ROUNDING_PX),
];

/**
 * Along each axis, photos (with the gutter between two photos) reach both ends of the canvas or leave equal bands at
 * both ends.
 */
function photosLeaveNoGap({ brief, arrangement: { design } }: Scene): void {
  const places = design.pictures.map(({ cell, box }) => cell ?? box);
  const isEdgeToEdge = design.pictures.some(({ fill }) => fill === "cover");
  if (!isEdgeToEdge || design.textCard !== undefined || isRow(brief.shape)) return;
  const all = unionOf(places);
  const isEven = (start: number, length: number, whole: number): boolean =>
    Math.abs(start * 2 + length - whole) <= 1;
  const isAlong = isEven(all.x, all.width, brief.width) || isEven(all.y, all.height, brief.height);
  expect(isAlong, "a gap beside a photo").toBe(true);
}

/** The button is not dropped while a subheadline remains. A button without text is reported. */
function buttonGoesLast({ cta }: Copy, { elements, adjustments }: LayoutReport): void {
  if (cta === undefined) return;
  const button = elements.find(({ role }) => role === "cta");
  if (button === undefined) expect(elements.map(({ role }) => role)).not.toContain("subheadline");
  else if (button.lines === undefined) {
    expect(adjustments).toContainEqual(expect.objectContaining({ code: "text_shrunk", element: "cta" }));
  }
}

function wordsAreShownOrReported(copy: Copy, report: LayoutReport): void {
  for (const role of SET) {
    if (copy[COPY_FIELD[role]] === undefined) continue;
    const isShown = report.elements.some((element) => element.role === role);
    const isReported = report.adjustments.some(
      (adjustment) => adjustment.code === "text_dropped" && adjustment.element === role,
    );
    expect(isShown || isReported, `${role} vanished`).toBe(true);
    if (role === "headline") expect(isShown).toBe(true);
  }
}
