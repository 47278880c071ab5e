import { isOverlapping } from "../layout/design/boxes.ts";
import { photoBoxOf } from "../layout/design/design.ts";
import type { Arrangement, Design } from "../layout/index.ts";
import { WHITE } from "../raster/canvas.ts";
import type { Adjustment, Box, Crop, ElementRole, LayoutElement, LayoutReport, Raster } from "../types.ts";
import { changeNotes } from "./change-notes.ts";
import type { LogoLayer } from "./draw-logo.ts";
import type { PictureLayer } from "./draw-picture.ts";
import { roleOf } from "./load-picture.ts";
import { LOGO_CONTRAST_MIN } from "./logo-treatment.ts";
import { hasTextOnScrim } from "./paint-scrims.ts";
import type { CanvasSize, Logo, PreparedPack } from "./prepared-pack.ts";
import type { Scene } from "./scene.ts";

/** A headline smaller than this fraction of the largest size for its shape is reported as shrunk. */
const SHRUNK_SHARE = 0.6;
/** Minimum enlargement to report. A smaller enlargement is due to rounding, and invisible. */
const UPSCALED_MIN = 1.05;
const READING_ORDER: readonly ElementRole[] = [
  "background",
  "hero",
  "secondary_hero",
  "card",
  "logo",
  "badge",
  "headline",
  "subheadline",
  "price",
  "old_price",
  "cta",
  "disclaimer",
];

/** Reports the place of every element and what was cropped, shrunk, dropped or added. */
export function reportOf(pack: PreparedPack, scene: Scene, hasBorder: boolean): LayoutReport {
  const { design, dropped } = scene.arrangement;
  const { width, height } = scene.brief;
  const elements: LayoutElement[] = [];
  if (scene.background !== null) elements.push({ role: "background", box: { x: 0, y: 0, width, height } });
  for (const picture of design.pictures) {
    elements.push({
      role: pack.family === "scenery" ? "background" : picture.role,
      box: photoBoxOf(picture),
    });
  }
  for (const box of cardsOnPhotos(design, scene)) elements.push({ role: "card", box });
  if (design.logo !== null) {
    const ratio = scene.logo?.contrastRatio ?? null;
    const contrastRatio = ratio === null ? {} : { contrastRatio: twoDigits(ratio) };
    elements.push({ role: "logo", box: design.logo, ...contrastRatio });
  }
  for (const layer of scene.textLayers) {
    const placed = [...design.texts, design.button?.text, design.badge?.text];
    const set = placed.find((text) => text?.role === layer.role)?.set;
    elements.push({
      role: layer.role,
      box: layer.box,
      // A button may be an arrow without text.
      ...(set && { fontSizePx: set.fontSizePx, lines: set.lines.map((line) => line.text) }),
      contrastRatio: twoDigits(layer.contrastRatio),
    });
  }
  elements.sort((one, other) => READING_ORDER.indexOf(one.role) - READING_ORDER.indexOf(other.role));
  const crops: Crop[] = scene.pictures.map((layer) => layer.crop);
  if (scene.background !== null) crops.push(scene.background.crop);
  const adjustments: Adjustment[] = [
    ...notesOfShown(pack, scene),
    ...droppedNotes(dropped),
    ...changeNotes(scene.arrangement.changes),
  ];
  for (const layer of [...scene.pictures, ...(scene.background === null ? [] : [scene.background])]) {
    adjustments.push(...upscaledNotes(layer));
  }
  if (scene.logo !== null) {
    adjustments.push(...upscaledLogoNotes(scene.logo.logo, scene.logo.raster), ...logoNotes(scene.logo));
  }
  if (design.headlineSizeShare < SHRUNK_SHARE && design.texts.some((text) => text.role === "headline")) {
    adjustments.push({
      code: "text_shrunk",
      element: "headline",
      message: `The headline is set at ${Math.round(design.headlineSizeShare * 100)} % of the largest size this shape allows; a shorter one would be larger.`,
    });
  }
  if (hasTextOnScrim(design, scene.scrims)) {
    adjustments.push({
      code: "scrim_added",
      element: "headline",
      message: "A scrim lies behind the words, dense enough for a contrast of 4.5:1.",
    });
  }
  if (hasBorder) {
    adjustments.push({
      code: "border_added",
      element: null,
      message: "A border of one pixel sets the light edge off from the page, as display policies require.",
    });
  }
  const { shape, pixelScale } = scene.brief;
  const scale = pixelScale === 1 ? {} : { scale: pixelScale };
  return { family: pack.family, shape, ...scale, elements, crops, adjustments };
}

/** Text cards and the logo's plate on photos, so that the report shows what they cover. */
function cardsOnPhotos({ textCard, pictures }: Design, { logo, background }: Scene): Box[] {
  const photos = pictures.filter(({ fill }) => fill !== "cut_out").map(({ box }) => box);
  const cards = [textCard?.box, logo?.plate?.mask].flatMap((box) => box ?? []);
  return cards
    .filter((card) => background !== null || photos.some((photo) => isOverlapping(photo, card)))
    .map(({ x, y, width, height }) => ({ x, y, width, height }));
}

/** Notes on how the logo was made visible, or a note that it is hardly visible. */
function logoNotes({ knockout, plate, contrastRatio }: LogoLayer): readonly Adjustment[] {
  const notes: readonly (readonly [boolean, Adjustment["code"], string])[] = [
    [
      knockout !== null,
      "logo_recoloured",
      `Parts of the logo without enough contrast are drawn in ${knockout === WHITE ? "white" : "black"}.`,
    ],
    [
      plate !== null,
      "plate_added",
      "The logo is on a plate: its rim has too little contrast with the background.",
    ],
    [
      contrastRatio !== null && contrastRatio < LOGO_CONTRAST_MIN,
      "logo_low_contrast",
      `The logo is hard to see: a fifth of its rim has a contrast of ${contrastRatio?.toFixed(1)}:1 or less with the background.`,
    ],
  ];
  return notes.flatMap(([isSo, code, message]) => (isSo ? [{ code, element: "logo", message }] : []));
}

const twoDigits = (ratio: number): number => Math.floor(ratio * 100) / 100;

/** The note on an enlarged picture; empty if the picture is not enlarged. */
function upscaledNotes({ drawn, crop }: Pick<PictureLayer, "drawn" | "crop">): Adjustment[] {
  const times = enlargement(drawn, crop.shown);
  if (times === null) return [];
  return [
    {
      code: "upscaled",
      element: roleOf(crop.slot),
      message: `The ${crop.slot} picture is enlarged ${times} times; a larger one would be sharper.`,
    },
  ];
}

/** The note on an enlarged bitmap logo, measured without its transparent margins; empty if the logo is not enlarged. */
function upscaledLogoNotes({ isVector, bounds }: Logo, raster: Raster): Adjustment[] {
  const times = isVector ? null : enlargement(raster, bounds);
  if (times === null) return [];
  return [
    {
      code: "upscaled",
      element: "logo",
      message: `The logo is enlarged ${times} times; a larger one without margins, or an SVG, would be sharper.`,
    },
  ];
}

/** Enlargement factor as text; null if not enlarged. */
function enlargement(drawn: CanvasSize, shown: CanvasSize): string | null {
  const times = Math.max(drawn.width / Math.max(1, shown.width), drawn.height / Math.max(1, shown.height));
  if (times < UPSCALED_MIN) return null;
  return times < 10 ? times.toFixed(1) : String(Math.round(times));
}

const isPicture = (element: ElementRole): boolean =>
  element === "logo" || element === "hero" || element === "secondary_hero";

function droppedNotes(dropped: Arrangement["dropped"]): Adjustment[] {
  return dropped.map((element) =>
    element === "cta_words"
      ? {
          code: "text_shrunk",
          element: "cta",
          message: "There is no room for the button's words in this size; it shows an arrow.",
        }
      : {
          code: isPicture(element) ? "element_dropped" : "text_dropped",
          element,
          message: `There is no room to show the ${element} legibly in this size; it was left out.`,
        },
  );
}

/**
 * The notes of a pack, without those on colours that this output does not use. The accent's note names the price;
 * without a price it names the badge or ornament in the changed colour.
 */
const notesOfShown = (pack: PreparedPack, scene: Scene): readonly Adjustment[] =>
  pack.adjustments.flatMap((note) =>
    note.code === "colour_changed" ? shownNote(note, pack, scene) : [note],
  );

function shownNote(
  note: Adjustment,
  { look, theme }: PreparedPack,
  { arrangement: { design }, ornament }: Scene,
): readonly Adjustment[] {
  const { texts, button, badge } = design;
  switch (note.element) {
    case "cta":
      return button === null ? [] : [note];
    case "headline":
      // A note on the headline applies to all text.
      return texts.length === 0 ? [] : [note];
    case "price": {
      if (texts.some(({ role }) => role === "price")) return [note];
      // A shape in the brand's exact accent needs no note.
      if (badge !== undefined && (badge.shape === "rule" || theme.accentFill === theme.accent)) {
        return [{ ...note, element: "badge" }];
      }
      return ornament !== null && look.ornament === "frame" ? [{ ...note, element: null }] : [];
    }
    default:
      return [note];
  }
}
