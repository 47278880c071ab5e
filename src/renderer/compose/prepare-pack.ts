import { OUTLINE_CONTRAST_MIN } from "../colour/contrast.ts";
import { dominantColours } from "../colour/dominant-colours.ts";
import { chooseTheme, inSingleWeight } from "../colour/theme.ts";
import type { Engine } from "../engine.ts";
import { whiteOfRim } from "../focus/white-rim.ts";
import { HERO_SLOT } from "../layout/family-from-slots.ts";
import { fontFilesOf, LOOKS, withButton } from "../look/index.ts";
import { copyOf, type Rgb } from "../raster/canvas.ts";
import { Pyramid } from "../raster/pyramid.ts";
import { type FontSources, isSingleWeight, openFontSet } from "../type/index.ts";
import type { Adjustment, Copy, PackInputs, Result, VisualSlot } from "../types.ts";
import { rgbaOf, thumbnailOf, withoutWhiteBackground } from "./load-picture.ts";
import { loadSources, type Sources } from "./load-sources.ts";
import { logoFor, visibilityOn } from "./logo-treatment.ts";
import type { Picture, PreparedPack } from "./prepared-pack.ts";

/**
 * Decodes each source once and reads colours and focal points from it. The result does not depend on the sizes to draw,
 * so an output has the same bytes whether it is drawn alone or with others.
 */
export async function preparePack(
  engine: Engine,
  fontSources: FontSources,
  inputs: PackInputs,
): Promise<Result<PreparedPack>> {
  const sources = await loadSources(engine, inputs.assets);
  return sources.ok ? dressPack(engine, fontSources, sources.value, inputs, "spent") : sources;
}

/** The inputs of a pack without its assets. */
export type PackDress = Omit<PackInputs, "assets">;

/**
 * Chooses the colours of decoded sources and opens their fonts. Sources to be `kept` stay unchanged and outlive this
 * pack, so that further packs can use them. Sources that are `spent` are freed with the pack. Fails with
 * FONT_UNREADABLE.
 */
export async function dressPack(
  engine: Engine,
  fontSources: FontSources,
  sources: Sources,
  inputs: PackDress,
  use: "kept" | "spent",
): Promise<Result<PreparedPack>> {
  const { family } = sources;
  const look = withButton(LOOKS[inputs.look ?? "classic"], inputs.buttonStyle);
  const heroSlot = HERO_SLOT[family];
  const adjustments: Adjustment[] = [];
  const pictures = new Map<VisualSlot, Picture>();
  for (const [slot, { loaded }] of sources.pictures) {
    pictures.set(slot, loaded.picture);
    if (loaded.adjustment !== null) adjustments.push(loaded.adjustment);
  }
  const logo = sources.logo?.loaded.logo ?? null;
  if (sources.logo?.loaded.adjustment != null) adjustments.push(sources.logo.loaded.adjustment);
  const logoOnDark = sources.logoOnDark?.loaded.logo ?? null;
  const { font, textFont = null } = inputs;
  const fonts = await openFontSet(engine, fontSources, font, fontFilesOf(look), textFont);
  if (!fonts.ok) {
    if (use === "spent") sources.close();
    return fonts;
  }
  const photo = heroSlot === null ? null : (pictures.get(heroSlot) ?? null);
  const background = heroSlot === "background" ? null : (pictures.get("background") ?? null);
  const colours = {
    family,
    look,
    brand: inputs.brand,
    hero: photo === null ? [] : dominantColours(thumbnailOf(photo.pyramid)),
    logo: logo === null ? [] : dominantColours(thumbnailOf(logo.pyramid)),
    background: background === null ? [] : dominantColours(thumbnailOf(background.pyramid)),
    // A logo of one colour can be drawn light or dark, so it does not influence the surface.
    logoVisibility: (surface: Rgb) => {
      const shown = logoFor(surface, logo, logoOnDark);
      return shown?.isOneColour === true ? 1 : visibilityOn(shown, surface, OUTLINE_CONTRAST_MIN);
    },
  };
  // Free the halvings, which were made for thumbnails. Large sizes are drawn from the base; small sizes recompute them.
  if (use === "spent") for (const picture of pictures.values()) picture.pyramid.trim();
  const chosen = chooseTheme(colours);
  const theme = isSingleWeight(fonts.value) ? inSingleWeight(chosen) : chosen;
  // Remove a product's white background: as a card, it would look like an empty box on a light surface, and like a
  // sticker on a dark one.
  const product = family === "product" ? photo : null;
  const freed = product === null ? null : cutOutProduct(product, use);
  const hero = freed ?? photo;
  const open = { fonts: fonts.value, isOpen: true };
  return {
    ok: true,
    value: {
      family,
      copy: trimmedCopy(inputs.copy),
      look,
      placements: inputs.placements ?? {},
      theme,
      hero,
      secondaryHero: pictures.get("secondaryMedia") ?? null,
      background,
      logo,
      logoOnDark,
      fonts: open.fonts,
      adjustments: [...adjustments, ...theme.adjustments],
      close: () => {
        if (!open.isOpen) return;
        open.isOpen = false;
        open.fonts.close();
        // A product cut out in place shares its source's pixels.
        if (use === "kept") freed?.pyramid.free();
        else {
          freed?.pyramid.trim();
          sources.close();
        }
      },
    },
  };
}

/**
 * A product without its white background. The background is removed from the product's own pixels, or from a copy if
 * its source is `kept`.
 */
function cutOutProduct(product: Picture, use: "kept" | "spent"): Picture | null {
  if (use === "spent") return withoutWhiteBackground(product);
  const base = rgbaOf(product.pyramid.base);
  const { resampler } = product.pyramid;
  if (base.alpha !== "opaque" || whiteOfRim(base) === null) return null;
  const pyramid = new Pyramid(copyOf(base), resampler);
  const freed = withoutWhiteBackground({ ...product, pyramid });
  if (freed === null) pyramid.free();
  return freed;
}

/** Trims texts and collapses their whitespace. Blank texts count as absent. */
export function trimmedCopy(copy: Copy): Copy {
  const text = (value: string | undefined) => {
    const trimmed = value?.trim().replace(/\s+/gu, " ");
    return trimmed === "" ? undefined : trimmed;
  };
  return {
    headline: text(copy.headline),
    subheadline: text(copy.subheadline),
    cta: text(copy.cta),
    disclaimer: text(copy.disclaimer),
    price: text(copy.price),
    oldPrice: text(copy.oldPrice),
    badge: text(copy.badge),
    language: copy.language,
  };
}
