import { type CanvasMemory, freeRaster, onHeap } from "../buffers.ts";
import type { Theme } from "../colour/theme.ts";
import type { SaliencyMap } from "../focus/saliency.ts";
import { WHOLE } from "../layout/design/boxes.ts";
import {
  type Arrangement,
  type Brief,
  canvasOf,
  hasWordsOnPhoto,
  isFullBleed,
  layOut,
  type PictureTraits,
  smallestSizes,
  Typesetter,
} from "../layout/index.ts";
import type { Box, CompositionRequest, Copy, Placements, Raster, RenderFailure, Result } from "../types.ts";
import { attentionIn } from "./attention.ts";
import { drawBorder, needsBorderLine } from "./display-border.ts";
import { type Backdrop, drawBackdrop } from "./draw-backdrop.ts";
import { badgeLayer } from "./draw-badge.ts";
import { buttonLayer } from "./draw-button.ts";
import { drawLogo, type LogoLayer, logoLayer } from "./draw-logo.ts";
import { paintTextLayer, type TextLayer, textLayer } from "./draw-text.ts";
import { ornamentOf, type PlacedOrnament, paintOrnament } from "./paint-ornament.ts";
import { paintTextCard } from "./paint-surface.ts";
import { cropsOf } from "./picture-crops.ts";
import { directed, protectedAreasInVisible } from "./picture-with-focal-point.ts";
import { trimmedCopy } from "./prepare-pack.ts";
import type { CanvasSize, Logo, Picture, PreparedPack } from "./prepared-pack.ts";

/** A composed canvas without its words, in layers, bottom first: backdrop (pictures and scrims), logo. */
interface Ground extends Backdrop {
  readonly brief: Brief;
  readonly theme: Theme;
  readonly arrangement: Arrangement;
  readonly ornament: PlacedOrnament | null;
  readonly logo: LogoLayer | null;
}

/** A composed canvas: its words lie over all else. */
export interface Scene extends Ground {
  readonly textLayers: readonly TextLayer[];
}

/**
 * Arranges and draws a pack on one size, in pixels from `memory`; `keepsBase` keeps what frames are drawn on. Fails with HEADLINE_DOES_NOT_FIT
 * or the failure of the fonts.
 */
export function composeScene(
  shared: PreparedPack,
  request: CompositionRequest,
  keepsBase = false,
  memory: CanvasMemory = onHeap,
): Result<Scene> {
  const pack = withOwnWords(shared, request);
  pack.fonts.grantOutput(pack.copy);
  const brief = briefOf(pack, request);
  let ground = composeSigned(pack, brief, keepsBase, memory);
  if (ground.ok && isMuddy(ground.value)) {
    releaseScene(ground.value);
    ground = composeSigned(pack, { ...brief, avoidsScrims: true }, keepsBase, memory);
  }
  return ground.ok ? { ok: true, value: withWords(pack, ground.value) } : ground;
}

/** A scrim this dense over a photo that fills the canvas turns its colours to mud. */
const MUDDY_OPACITY = 0.8;

function isMuddy({ brief, arrangement: { design }, addedScrimOpacity }: Ground): boolean {
  if (!hasWordsOnPhoto(brief, design)) return false;
  return design.scrims.some((scrim) => scrim.adaptiveOpacityMin + addedScrimOpacity >= MUDDY_OPACITY);
}

/** Composes, and once more where the logo would need a plate that other arrangements spare. */
function composeSigned(
  pack: PreparedPack,
  brief: Brief,
  keepsBase: boolean,
  memory: CanvasMemory,
): Result<Ground> {
  const ground = composeWith(pack, brief, keepsBase, memory);
  if (!ground.ok || ground.value.logo?.plate == null) return ground;
  const plated: Brief = { ...brief, needsLogoPlate: true };
  // On a photo a plate looks like a patch. On a full-bleed photo the logo joins the words instead; over a background a
  // denser scrim may make the plate unnecessary.
  if (isFullBleed(brief)) {
    releaseScene(ground.value);
    return composeWith(pack, plated, keepsBase, memory);
  }
  const isWordless = ground.value.arrangement.design.texts.length === 0;
  if (pack.background === null && !isWordless) return ground;
  const denser = composeWith(pack, plated, keepsBase, memory);
  const isSpared = denser.ok && denser.value.logo?.plate == null;
  const [chosen, other] = isSpared ? [denser, ground] : [ground, denser];
  if (other.ok) releaseScene(other.value);
  return chosen;
}

/** The texts of an output: its own, else the pack's. */
const copyOf = (pack: PreparedPack, own: Copy | undefined): Copy =>
  own === undefined ? pack.copy : trimmedCopy(own);

/** Opens what the texts of an output are set with; before `composeScene`. Throws what the font library throws. */
export const loadFonts = (pack: PreparedPack, { copy }: CompositionRequest): Promise<void> =>
  pack.fonts.load(copyOf(pack, copy));

/** The pack as this output has it: its own texts and placements in place of the pack's. */
function withOwnWords(pack: PreparedPack, { copy, placements: own }: CompositionRequest): PreparedPack {
  const placements: Placements = { ...pack.placements, ...own };
  const placed = (picture: Picture | null) =>
    picture === null || picture.slot === "logo" ? picture : directed(picture, placements[picture.slot]);
  return {
    ...pack,
    copy: copyOf(pack, copy),
    placements,
    hero: placed(pack.hero),
    secondaryHero: placed(pack.secondaryHero),
    background: placed(pack.background),
  };
}

/** Frees the rasters of what was composed and is no longer used. */
export function releaseScene({ base, backdrop, pictures, logo }: Ground): void {
  freeRaster(backdrop);
  if (logo !== null) freeRaster(logo.raster);
  if (base === null) return;
  freeRaster(base);
  for (const layer of pictures) freeRaster(layer.raster);
}

function composeWith(
  pack: PreparedPack,
  brief: Brief,
  keepsBase: boolean,
  memory: CanvasMemory,
): Result<Ground> {
  const canvasBox: Box = { x: 0, y: 0, width: brief.width, height: brief.height };
  const { theme } = pack;
  const arrangement = layOut(brief);
  if (pack.fonts.failure !== null) return pack.fonts.failure;
  if (arrangement === null) return HEADLINE_FAILURE;
  const { design } = arrangement;

  const laid = drawBackdrop(pack, design, canvasBox, keepsBase, memory);
  const { backdrop } = laid;
  paintTextCard(backdrop, design, theme);
  const ornament = ornamentOf(backdrop, brief, design, theme);
  paintOrnament(backdrop, ornament);
  const logo =
    design.logo === null || pack.logo === null
      ? null
      : logoLayer(backdrop, pack.logo, design.logo, theme, brief.scale);
  return { ok: true, value: { ...laid, brief, theme, arrangement, ornament, logo } };
}

/** Words are drawn once it is known that nothing is composed anew. */
function withWords({ look }: PreparedPack, ground: Ground): Scene {
  const { backdrop, theme } = ground;
  const { texts, button, badge } = ground.arrangement.design;
  const textLayers = texts.map((text) => textLayer(backdrop, text, theme));
  if (button !== null) textLayers.push(buttonLayer(backdrop, button, theme, look.button));
  if (badge !== undefined) textLayers.push(badgeLayer(backdrop, badge, theme));
  return { ...ground, textLayers };
}

export interface RestingScene {
  readonly canvas: Raster;
  readonly hasBorder: boolean;
}

/** Draws a scene at rest, on its own backdrop. `hasBorder` tells whether a border was added. */
export function flattenScene(scene: Scene, needsBorder: boolean): RestingScene {
  const canvas = scene.backdrop;
  if (scene.logo !== null) drawLogo(canvas, scene.logo);
  for (const layer of scene.textLayers) paintTextLayer(canvas, layer);
  const hasBorder = needsBorder && needsBorderLine(canvas);
  if (hasBorder) drawBorder(canvas);
  return { canvas, hasBorder };
}

/** One for all that is composed of a size: what it has measured and cropped once it remembers. */
function briefOf(pack: PreparedPack, { size, variant = 1 }: CompositionRequest): Brief {
  const cropOf = cropsOf(pack.hero, pack.secondaryHero);
  const canvas = canvasOf(size, pack.look);
  return {
    ...canvas,
    family: pack.family,
    copy: pack.copy,
    variant,
    hero: pack.hero === null ? null : traitsOf(pack.hero),
    secondaryHero: pack.secondaryHero === null ? null : traitsOf(pack.secondaryHero),
    attentionOf: (placed) => {
      const picture = placed.role === "hero" ? pack.hero : pack.secondaryHero;
      return picture === null ? () => 0 : attentionIn(picture, placed);
    },
    saliencyUnder: (area) =>
      pack.hero === null
        ? 0
        : saliencyUnder(pack.hero.saliency, cropOf("hero", size.width, size.height, WHOLE).shown, size, area),
    cropOf,
    hasBackground: pack.background !== null,
    logo: pack.logo === null ? null : logoTraits(pack.logo),
    isDark: pack.theme.isDark && pack.look.layout.wordsOnPhoto === "scrim",
    look: pack.look,
    needsLogoPlate: false,
    avoidsScrims: false,
    typesetter: new Typesetter(pack.fonts, pack.look, pack.copy.language, smallestSizes(canvas.scale)),
  };
}

/** Mean saliency under an area of a canvas that shows the part `shown` (shares) of a picture. */
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
  const { bounds, isCutOut, subjectBox, focalPoint } = picture;
  return {
    aspect: bounds.width / bounds.height,
    isCutOut,
    subjectBox: isCutOut ? null : subjectBox,
    focusX: focalPoint.x,
    protectedAreas: protectedAreasInVisible(picture),
  };
}

function logoTraits(logo: Logo): PictureTraits {
  return {
    aspect: logo.bounds.width / logo.bounds.height,
    isCutOut: logo.isCutOut,
    subjectBox: null,
    focusX: 0.5,
    protectedAreas: [],
  };
}

const HEADLINE_FAILURE: RenderFailure = {
  ok: false,
  code: "HEADLINE_DOES_NOT_FIT",
  message: "The words cannot be set legibly: shorten the headline, or leave this size out.",
};
