import { type CanvasMemory, freeRaster, onHeap } from "../buffers.ts";
import type { SaliencyMap } from "../focus/saliency.ts";
import { WHOLE } from "../layout/design/boxes.ts";
import {
  type Arrangement,
  type Brief,
  canvasAtScale,
  canvasOf,
  designAtScale,
  layOut,
  type PictureTraits,
  type TextBackground,
  Typesetter,
  wholeWordSizes,
} from "../layout/index.ts";
import { copyOf } from "../raster/canvas.ts";
import type { Pyramid } from "../raster/pyramid.ts";
import { CERTAIN_MIN } from "../subjects/subject-map.ts";
import {
  type Box,
  type CompositionRequest,
  type Copy,
  failure,
  type Placements,
  type Raster,
  type RenderFailure,
  type Result,
} from "../types.ts";
import { attentionIn } from "./attention.ts";
import { drawBorder, needsBorderLine } from "./display-border.ts";
import { type Backdrop, drawBackdrop, isWholeCanvas } from "./draw-backdrop.ts";
import { badgeLayer } from "./draw-badge.ts";
import { buttonLayer } from "./draw-button.ts";
import { drawLogo, type LogoLayer, logoBehind, logoLayer, surroundingsOf } from "./draw-logo.ts";
import type { PictureLayer } from "./draw-picture.ts";
import { paintTextLayer, type TextLayer, textLayer } from "./draw-text.ts";
import { ornamentOf, type PlacedOrnament, paintOrnament } from "./paint-ornament.ts";
import { paintTextCard } from "./paint-surface.ts";
import { cropsOf, protectedAreasInVisible, withPlacement } from "./picture-crops.ts";
import { trimmedCopy } from "./prepare-pack.ts";
import type { CanvasSize, Logo, Picture, PreparedPack } from "./prepared-pack.ts";

/** A composed canvas without its text, in layers, bottom first: backdrop (pictures and scrims), logo. */
interface TextlessScene extends Backdrop {
  readonly brief: Brief;
  readonly arrangement: Arrangement;
  readonly ornament: PlacedOrnament | null;
  readonly logo: LogoLayer | null;
}

/** A composed canvas with its text as the top layers. */
export interface Scene extends TextlessScene {
  readonly textLayers: readonly TextLayer[];
}

/** A scene without the canvases that its frames do not need. */
export interface LayeredScene extends Omit<Scene, "backdrop" | "pictures"> {
  /** Null if frames are drawn from base and pictures alone. */
  readonly backdrop: Raster | null;
  /** Null for a photo that each frame draws from the uploaded picture. */
  readonly pictures: readonly (PictureLayer | null)[];
}

/**
 * Lays out and draws a pack in one size, in pixels from `memory`; `keepsBase` keeps the base for frames. Fails with
 * HEADLINE_DOES_NOT_FIT or the failure of the fonts.
 */
export function composeScene(
  shared: PreparedPack,
  request: CompositionRequest,
  keepsBase = false,
  memory: CanvasMemory = onHeap,
): Result<Scene> {
  const pack = withOwnTexts(shared, request);
  pack.fonts.grantOutput(pack.copy);
  const brief = briefOf(pack, request);
  const textless = composeWith(pack, brief, keepsBase, memory);
  return textless.ok ? { ok: true, value: withText(pack, textless.value) } : textless;
}

/** The texts of an output: its own, else the pack's. */
const copyOfOutput = (pack: PreparedPack, own: Copy | undefined): Copy =>
  own === undefined ? pack.copy : trimmedCopy(own);

/** Opens the fonts for the texts of an output; call it before `composeScene`. Throws what the font library throws. */
export const loadFonts = (pack: PreparedPack, { copy }: CompositionRequest): Promise<void> =>
  pack.fonts.load(copyOfOutput(pack, copy));

/** The pack with this output's own texts and placements. */
function withOwnTexts(pack: PreparedPack, { copy, placements: own }: CompositionRequest): PreparedPack {
  const placements: Placements = { ...pack.placements, ...own };
  const placed = (picture: Picture | null) =>
    picture === null || picture.slot === "logo" ? picture : withPlacement(picture, placements[picture.slot]);
  return {
    ...pack,
    copy: copyOfOutput(pack, copy),
    placements,
    hero: placed(pack.hero),
    secondaryHero: placed(pack.secondaryHero),
    background: placed(pack.background),
  };
}

/** Frees the rasters of a scene that is no longer used. */
export function releaseScene(scene: Scene): void {
  releaseLayers(scene.base === null ? { ...scene, pictures: [] } : scene);
}

/** Frees the rasters of a scene whose unneeded layers were freed by `keepLayers`. */
export function releaseLayers({ base, backdrop, pictures, logo }: LayeredScene): void {
  const rasters = [base, backdrop, logo?.raster, ...pictures.map((layer) => layer?.raster)];
  for (const raster of rasters) if (raster != null) freeRaster(raster);
}

/**
 * Frees the layers that are not needed if each frame is drawn once and in order: the backdrop, the `moving` photos that
 * are not drawn from their layer, and the base if the first photo hides it.
 */
export function keepLayers(
  scene: Scene,
  moving: readonly ({ readonly pyramid: Pyramid } | null)[],
): LayeredScene {
  const [first] = scene.pictures;
  const isHidden = moving[0] != null && first !== undefined && isWholeCanvas(first, scene.brief);
  const pictures = scene.pictures.map((layer, at) => {
    const photo = moving[at];
    return photo == null || photo.pyramid.base === layer.raster ? layer : null;
  });
  const kept = { ...scene, backdrop: null, base: isHidden ? null : scene.base, pictures };
  const photos = scene.pictures.filter((_, at) => pictures[at] === null);
  releaseLayers({ ...scene, base: isHidden ? scene.base : null, pictures: photos, logo: null });
  return kept;
}

function composeWith(
  pack: PreparedPack,
  brief: Brief,
  keepsBase: boolean,
  memory: CanvasMemory,
): Result<TextlessScene> {
  const laidOut = layOut(brief);
  if (pack.fonts.failure !== null) return pack.fonts.failure;
  if (laidOut === null) return HEADLINE_FAILURE;
  // From here on everything is in the file's pixels.
  let design = designAtScale(laidOut.design, brief.pixelScale);
  const drawn = canvasAtScale(brief);
  const canvasBox: Box = { x: 0, y: 0, width: drawn.width, height: drawn.height };

  const laid = drawBackdrop(pack, design, canvasBox, keepsBase, memory);
  const { backdrop, theme } = laid;
  paintTextCard(backdrop, design, theme);
  const ornament = ornamentOf(backdrop, brief, laidOut.design, theme);
  paintOrnament(backdrop, ornament);
  let logo: LogoLayer | null = null;
  if (design.logo !== null && pack.logo !== null) {
    const [shown, box] = logoBehind(backdrop, pack.logo, pack.logoOnDark, design.logo);
    design = { ...design, logo: box };
    const around = surroundingsOf(design, box, canvasBox, drawn.scale.cornerRadiusPx);
    logo = logoLayer(backdrop, shown, box, theme, around);
  }
  const arrangement = { ...laidOut, design };
  return { ok: true, value: { ...laid, brief: drawn, theme, arrangement, ornament, logo } };
}

/** The scene with its text as the top layers. */
function withText({ look }: PreparedPack, textless: TextlessScene): Scene {
  const { backdrop, theme } = textless;
  const { texts, button, badge } = textless.arrangement.design;
  const textLayers = texts.map((text) => textLayer(backdrop, text, theme));
  if (button !== null) textLayers.push(buttonLayer(backdrop, button, theme, look.button));
  if (badge !== undefined) textLayers.push(badgeLayer(backdrop, badge, theme));
  return { ...textless, textLayers };
}

export interface RestingScene {
  readonly canvas: Raster;
  readonly hasBorder: boolean;
}

/** Draws a scene at rest, on its own backdrop. `hasBorder` is true if a border was added. */
export function flattenScene(scene: Scene, needsBorder: boolean): RestingScene {
  const canvas = scene.backdrop;
  if (scene.logo !== null) drawLogo(canvas, scene.logo);
  for (const layer of scene.textLayers) paintTextLayer(canvas, layer);
  const hasBorder = needsBorder && needsBorderLine(canvas);
  if (hasBorder) drawBorder(canvas, scene.brief.pixelScale);
  return { canvas, hasBorder };
}

/**
 * Whether a scene at rest gets a border, which all frames of its animation then have. The scene is drawn on a copy,
 * because frames need the backdrop without text.
 */
export function hasBorderAtRest(scene: Scene, needsBorder: boolean): boolean {
  if (!needsBorder) return false;
  const { canvas, hasBorder } = flattenScene({ ...scene, backdrop: copyOf(scene.backdrop) }, needsBorder);
  freeRaster(canvas);
  return hasBorder;
}

/** The brief of one output. It caches measured text and crops. */
function briefOf(pack: PreparedPack, { size, variant = 1, composition = "auto" }: CompositionRequest): Brief {
  const cropOf = cropsOf(pack.hero, pack.secondaryHero);
  const canvas = canvasOf(size, pack.look);
  return {
    ...canvas,
    family: pack.family,
    copy: pack.copy,
    variant,
    composition,
    hero: pack.hero === null ? null : traitsOf(pack.hero),
    secondaryHero: pack.secondaryHero === null ? null : traitsOf(pack.secondaryHero),
    attentionOf: (placed) => {
      const picture = placed.role === "hero" ? pack.hero : pack.secondaryHero;
      return picture === null ? () => 0 : attentionIn(picture, placed);
    },
    saliencyUnder: (area) =>
      pack.hero === null
        ? 0
        : saliencyUnder(
            pack.hero.saliency,
            cropOf("hero", canvas.width, canvas.height, WHOLE).shown,
            canvas,
            area,
          ),
    cropOf,
    hasBackground: pack.background !== null,
    logo: pack.logo === null ? null : logoTraits(pack.logo),
    look: pack.look,
    isShrunk: false,
    typesetter: new Typesetter(pack.fonts, pack.look, pack.copy.language, wholeWordSizes(canvas)),
  };
}

/** Mean saliency under an area of a canvas that shows the part `shown` (fractions) of a picture. */
function saliencyUnder(saliency: SaliencyMap, shown: Box, canvas: CanvasSize, area: Box): number {
  const column = (x: number) => (shown.x + (x / canvas.width) * shown.width) * saliency.width;
  const line = (y: number) => (shown.y + (y / canvas.height) * shown.height) * saliency.height;
  let sum = 0;
  let count = 0;
  for (let y = Math.floor(line(area.y)); y < Math.ceil(line(area.y + area.height)); y += 1) {
    for (let x = Math.floor(column(area.x)); x < Math.ceil(column(area.x + area.width)); x += 1) {
      sum += saliency.values[y * saliency.width + x] ?? 0;
      count += 1;
    }
  }
  return count === 0 ? 0 : sum / count;
}

function traitsOf(picture: Picture): PictureTraits {
  const { bounds, isCutOut, subjectBox } = picture;
  return {
    aspect: bounds.width / bounds.height,
    isCutOut,
    subjectBox: isCutOut ? null : subjectBox,
    protectedAreas: protectedAreasInVisible(picture),
    textBackground: textBackgroundOf(picture),
  };
}

function textBackgroundOf({ calm, subjects, sourceWidth, faces, placement }: Picture): TextBackground | null {
  if (calm === null || subjects === null) return null;
  const { main, plainSides } = subjects;
  const isKnown =
    faces.length > 0 || placement !== undefined || main === null || main.certainty >= CERTAIN_MIN;
  return { calm, plainSides, mayCarryWords: isKnown, sourceWidth };
}

function logoTraits(logo: Logo): PictureTraits {
  return {
    aspect: logo.bounds.width / logo.bounds.height,
    isCutOut: logo.isCutOut,
    subjectBox: null,
    protectedAreas: [],
    textBackground: null,
  };
}

const HEADLINE_FAILURE: RenderFailure = failure(
  "HEADLINE_DOES_NOT_FIT",
  "The words cannot be set legibly: shorten the headline, or leave this size out.",
);
