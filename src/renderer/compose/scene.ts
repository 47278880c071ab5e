import type { Size } from "../../contract/catalogue/types.ts";
import type { Theme } from "../colour/theme.ts";
import {
  type Arrangement,
  type Brief,
  isImmersed,
  isIsland,
  islandScale,
  layOut,
  type PictureTraits,
  scaleOf,
  shapeOf,
  Typesetter,
} from "../layout/index.ts";
import { release } from "../release.ts";
import type { Box, Raster, RenderFailure, Result } from "../types.ts";
import { drawBorder, needsBorderLine } from "./display-border.ts";
import { paintSheet } from "./paint-surface.ts";
import { drawLogo, type LogoLayer, logoLayer } from "./draw-logo.ts";
import { coverPart } from "./draw-picture.ts";
import { buttonLayer, paintWords, textLayer, type WordLayer } from "./draw-text.ts";
import { drawGround, type Ground } from "./draw-backdrop.ts";
import type { CanvasSize, Logo, Picture, PreparedPack } from "./prepared-pack.ts";

/** A composed canvas in layers, bottom first: ground (pictures and veils), logo, words. */
export interface Scene extends Ground {
  readonly brief: Brief;
  readonly theme: Theme;
  readonly arrangement: Arrangement;
  readonly logo: LogoLayer | null;
  readonly words: readonly WordLayer[];
}

/** Arranges and draws a pack on one size; `keepsBase` keeps what frames are drawn on. Fails with HEADLINE_DOES_NOT_FIT or what the fonts failed with. */
export function composeScene(pack: PreparedPack, size: Size, keepsBase = false): Result<Scene> {
  pack.fonts.grantOutput();
  const scene = composeWith(pack, size, keepsBase, false);
  if (!scene.ok || scene.value.logo?.plate == null) return scene;
  // A plate is a patch on a photo. Where the photo fills the canvas the logo joins the words instead; over a
  // background a denser scrim may spare it.
  if (isImmersed(scene.value.brief)) {
    releaseScene(scene.value);
    return composeWith(pack, size, keepsBase, true);
  }
  const isWordless = scene.value.arrangement.design.texts.length === 0;
  if (pack.background === null && !isWordless) return scene;
  const denser = composeWith(pack, size, keepsBase, true);
  const isSpared = denser.ok && denser.value.logo?.plate == null;
  const [chosen, other] = isSpared ? [denser, scene] : [scene, denser];
  if (other.ok) releaseScene(other.value);
  return chosen;
}

/** Gives back the rasters of a scene, when nothing is drawn from it or on it any more. */
export function releaseScene({ base, ground, pictures, logo }: Scene): void {
  release(ground);
  if (logo !== null) release(logo.raster);
  if (base === null) return;
  release(base);
  for (const layer of pictures) release(layer.raster);
}

function composeWith(
  pack: PreparedPack,
  size: Size,
  keepsBase: boolean,
  isLogoPatched: boolean,
): Result<Scene> {
  const canvasBox: Box = { x: 0, y: 0, width: size.width, height: size.height };
  const brief = briefOf(pack, size, isLogoPatched);
  const { theme } = pack;
  const arrangement = layOut(brief);
  if (pack.fonts.failure !== null) return pack.fonts.failure;
  if (arrangement === null) return HEADLINE_FAILURE;
  const { design } = arrangement;

  const laid = drawGround(pack, design, canvasBox, keepsBase);
  const { ground } = laid;
  paintSheet(ground, design, theme);
  const logo =
    design.logo === null || pack.logo === null
      ? null
      : logoLayer(ground, pack.logo, design.logo, theme, brief.scale.marginPx);
  const words = design.texts.map((text) => textLayer(ground, text, theme));
  if (design.button !== null) words.push(buttonLayer(ground, design.button, theme));
  return { ok: true, value: { ...laid, brief, theme, arrangement, logo, words } };
}

export interface RestingScene {
  readonly canvas: Raster;
  readonly hasBorder: boolean;
}

/** Draws a scene as it stands at rest, on the ground itself; true when a border was added. */
export function flattenScene(scene: Scene, needsBorder: boolean): RestingScene {
  const canvas = scene.ground;
  if (scene.logo !== null) drawLogo(canvas, scene.logo);
  for (const layer of scene.words) paintWords(canvas, layer);
  const hasBorder = needsBorder && needsBorderLine(canvas);
  if (hasBorder) drawBorder(canvas);
  return { canvas, hasBorder };
}

function briefOf(pack: PreparedPack, size: Size, isLogoPatched: boolean): Brief {
  const inset = size.safeArea ?? { top: 0, right: 0, bottom: 0, left: 0 };
  const safe: Box = {
    x: inset.left,
    y: inset.top,
    width: size.width - inset.left - inset.right,
    height: size.height - inset.top - inset.bottom,
  };
  const shape = shapeOf(size.width, size.height);
  const { width, height } = size;
  return {
    width: size.width,
    height: size.height,
    shape,
    family: pack.family,
    safe,
    copy: pack.copy,
    hero: pack.hero === null ? null : traitsOf(pack.hero),
    secondaryHero: pack.secondaryHero === null ? null : traitsOf(pack.secondaryHero),
    interestUnder: (area) => (pack.hero === null ? 0 : interestUnder(pack.hero, size, area)),
    hasBackground: pack.background !== null,
    logo: pack.logo === null ? null : logoTraits(pack.logo),
    isDark: pack.theme.isDark,
    isLogoPatched,
    // A safe area far flatter than the canvas decides how large words may be.
    scale: isIsland({ shape, width, height, safe })
      ? islandScale(safe)
      : scaleOf(shape === "landscape" ? shapeOf(safe.width, safe.height) : shape, safe),
    typesetter: new Typesetter(pack.fonts),
  };
}

/** Mean importance under an area when the picture covers the canvas. */
function interestUnder(picture: Picture, canvas: CanvasSize, area: Box): number {
  const { importance } = picture;
  const part = coverPart(picture, canvas.width, canvas.height, { x: 0, y: 0, width: 1, height: 1 });
  const { base } = picture.pyramid;
  const column = (x: number) => ((part.x + (x / canvas.width) * part.width) / base.width) * importance.width;
  const line = (y: number) =>
    ((part.y + (y / canvas.height) * part.height) / base.height) * importance.height;
  let sum = 0;
  let count = 0;
  for (let y = Math.floor(line(area.y)); y < Math.ceil(line(area.y + area.height)); y += 1) {
    for (let x = Math.floor(column(area.x)); x < Math.ceil(column(area.x + area.width)); x += 1) {
      sum += importance.values[y * importance.width + x] ?? 0;
      count += 1;
    }
  }
  return count === 0 ? 0 : sum / count;
}

function traitsOf(picture: Picture): PictureTraits {
  const { bounds, isCutOut, thing, focalPoint } = picture;
  return {
    aspect: bounds.width / bounds.height,
    isCutOut,
    thing: isCutOut ? null : thing,
    focusX: focalPoint.x,
  };
}

function logoTraits(logo: Logo): PictureTraits {
  return {
    aspect: logo.bounds.width / logo.bounds.height,
    isCutOut: logo.isCutOut,
    thing: null,
    focusX: 0.5,
  };
}

const HEADLINE_FAILURE: RenderFailure = {
  ok: false,
  code: "HEADLINE_DOES_NOT_FIT",
  message: "The words cannot be set legibly: shorten the headline, or leave this size out.",
};
