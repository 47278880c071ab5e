import { dominantColours } from "../colour/dominant-colours.ts";
import { OUTLINE_CONTRAST_MIN } from "../colour/legibility.ts";
import { luminance } from "../colour/srgb.ts";
import { chooseTheme, inSingleWeight } from "../colour/theme.ts";
import type { Engine } from "../engine.ts";
import { familyOf, HERO_SLOT } from "../layout/family-from-slots.ts";
import { fontFilesOf } from "../look/font-files.ts";
import { LOOKS } from "../look/index.ts";
import type { Rgb } from "../raster/canvas.ts";
import { type FontSources, isSingleWeight, openFontSet } from "../type/index.ts";
import type { Adjustment, Copy, PackInputs, Result, VisualSlot } from "../types.ts";
import { pixelsMaxOf } from "./limits.ts";
import { loadLogo } from "./load-logo.ts";
import { loadPicture, onWhiteCard, thumbnailOf, withoutWhiteBackground } from "./load-picture.ts";
import { treatLogo, visibilityOn } from "./logo-treatment.ts";
import type { Logo, Picture, PreparedPack } from "./prepared-pack.ts";

/** On a surface of at least this relative luminance the white in a product's edge is not seen. */
const LIGHT_SURFACE_MIN = 0.7;

const PICTURE_SLOTS = ["media", "secondaryMedia", "product", "person", "device", "background"] as const;

/**
 * Decodes each source once and reads colours and focal points from it. The sizes to be drawn are no input: an output
 * must have the same bytes alone and among any others.
 */
export async function preparePack(
  engine: Engine,
  sources: FontSources,
  inputs: PackInputs,
): Promise<Result<PreparedPack>> {
  const slots = Object.entries(inputs.assets).flatMap(([slot, asset]) => (asset === undefined ? [] : [slot]));
  const family = familyOf(slots);
  if (family === null) {
    return {
      ok: false,
      code: "NO_VISUAL_ASSET",
      message: "Nothing to draw: fill a visual slot (media, product, person, device, background or logo).",
    };
  }
  const look = LOOKS[inputs.look ?? "classic"];
  const heroSlot = HERO_SLOT[family];
  const adjustments: Adjustment[] = [];
  const pictures = new Map<VisualSlot, Picture>();
  const shown = PICTURE_SLOTS.filter((slot) => inputs.assets[slot] !== undefined).length;
  const pixelsMax = pixelsMaxOf(shown);
  for (const slot of PICTURE_SLOTS) {
    const asset = inputs.assets[slot];
    if (asset === undefined || (slot === "secondaryMedia" && family !== "duo")) continue;
    if (slot !== heroSlot && slot !== "secondaryMedia" && slot !== "background") continue;
    const loaded = await loadPicture(engine, slot, asset, pixelsMax);
    if (!loaded.ok) return loaded;
    pictures.set(slot, loaded.value.picture);
    if (loaded.value.adjustment !== null) adjustments.push(loaded.value.adjustment);
  }
  let logo: Logo | null = null;
  if (inputs.assets.logo !== undefined) {
    const loaded = await loadLogo(engine, inputs.assets.logo);
    if (!loaded.ok) return loaded;
    logo = loaded.value.logo;
    if (loaded.value.adjustment !== null) adjustments.push(loaded.value.adjustment);
  }
  const fonts = await openFontSet(engine, sources, inputs.font, fontFilesOf(look));
  if (!fonts.ok) return fonts;
  const photo = heroSlot === null ? null : (pictures.get(heroSlot) ?? null);
  const background = heroSlot === "background" ? null : (pictures.get("background") ?? null);
  const colours = {
    family,
    look,
    brand: inputs.brand,
    hero: photo === null ? [] : dominantColours(thumbnailOf(photo.pyramid)),
    logo: logo === null ? [] : dominantColours(thumbnailOf(logo.pyramid)),
    background: background === null ? [] : dominantColours(thumbnailOf(background.pyramid)),
    logoVisibility: (surface: Rgb) => visibilityOn(logo, surface, OUTLINE_CONTRAST_MIN),
  };
  // The halvings were made for thumbnails. Large sizes are drawn from the base; small sizes make them again.
  for (const picture of pictures.values()) picture.pyramid.trim();
  // A scenery's words always lie on its photo.
  const chosen = chooseTheme(colours, family === "scenery");
  const theme = isSingleWeight(fonts.value) ? inSingleWeight(chosen) : chosen;
  const treated = logo === null ? null : treatLogo(logo, theme.surface);
  if (treated?.adjustment != null) adjustments.push(treated.adjustment);
  // A card with a white background would look like an empty box on a light surface, and like a sticker on a dark one.
  const isForLight = luminance(theme.surface) >= LIGHT_SURFACE_MIN;
  const freed = family === "product" && photo !== null ? withoutWhiteBackground(photo, isForLight) : null;
  if (freed !== null) pictures.set("product", freed);
  const carded = freed === null && family === "product" && photo !== null ? onWhiteCard(photo) : null;
  const hero = freed ?? carded ?? photo;
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
      logo: treated?.logo ?? null,
      fonts: open.fonts,
      adjustments: [...adjustments, ...theme.adjustments],
      close: () => {
        if (!open.isOpen) return;
        open.isOpen = false;
        open.fonts.close();
        for (const picture of pictures.values()) picture.pyramid.free();
        logo?.pyramid.free();
      },
    },
  };
}

/** Blank texts count as absent. */
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
