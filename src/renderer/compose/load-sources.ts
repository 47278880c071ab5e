import type { Engine } from "../engine.ts";
import { familyOf, HERO_SLOT } from "../layout/family-from-slots.ts";
import {
  type Family,
  failure,
  type PackAsset,
  type PackInputs,
  type PictureSlot,
  type Result,
} from "../types.ts";
import { pixelsMaxOf } from "./limits.ts";
import { type LoadedLogo, loadLogo } from "./load-logo.ts";
import { type LoadedPicture, loadPicture } from "./load-picture.ts";

const PICTURE_SLOTS = ["media", "secondaryMedia", "product", "person", "device", "background"] as const;

/** A decoded file, and the asset that it was read from. */
interface Source<T> {
  readonly asset: PackAsset;
  readonly loaded: T;
}

interface PictureSource extends Source<LoadedPicture> {
  /** The pixel limit at which the picture was decoded. */
  readonly pixelsMax: number;
}

/** Decoded pictures, usable in packs of any text, colours and look. Call `close` when done. */
export interface Sources {
  readonly family: Family;
  readonly pictures: ReadonlyMap<PictureSlot, PictureSource>;
  readonly logo: Source<LoadedLogo> | null;
  /** Replaces the logo on dark backgrounds. */
  readonly logoOnDark: Source<LoadedLogo> | null;
  close(): void;
}

/**
 * Decodes each source once and finds faces and focal points in it. Reuses pictures of `earlier` that have the same
 * asset object, slot and size, and frees the rest of `earlier`; on failure `earlier` is unchanged. Fails with
 * NO_VISUAL_ASSET, ASSET_UNREADABLE or ASSET_EMPTY.
 */
export async function loadSources(
  engine: Engine,
  assets: PackInputs["assets"],
  earlier: Sources | null = null,
): Promise<Result<Sources>> {
  const slots = Object.entries(assets).flatMap(([slot, asset]) => (asset === undefined ? [] : [slot]));
  const family = familyOf(slots);
  if (family === null) {
    return failure(
      "NO_VISUAL_ASSET",
      "Nothing to draw: fill a visual slot (media, product, person, device, background or logo).",
    );
  }
  const shown = slotsOf(family, assets);
  const pixelsMax = pixelsMaxOf(PICTURE_SLOTS.filter((slot) => assets[slot] !== undefined).length);
  const pictures = new Map<PictureSlot, PictureSource>();
  const undo = (): void => {
    for (const [slot, source] of pictures) if (earlier?.pictures.get(slot) !== source) free(source);
  };
  for (const [slot, asset] of shown) {
    const known = earlier?.pictures.get(slot);
    if (known !== undefined && known.asset === asset && known.pixelsMax === pixelsMax) {
      pictures.set(slot, known);
      continue;
    }
    const loaded = await loadPicture(engine, slot, asset, pixelsMax);
    if (loaded.ok) pictures.set(slot, { asset, pixelsMax, loaded: loaded.value });
    else {
      undo();
      return { ...loaded, slot };
    }
  }
  const logos: Source<LoadedLogo>[] = [];
  const earlierLogos = [earlier?.logo, earlier?.logoOnDark].flatMap((source) => source ?? []);
  for (const slot of ["logo", "logoOnDark"] as const) {
    const asset = assets[slot];
    if (asset === undefined) continue;
    const loaded = await logoOf(engine, asset, earlierLogos);
    if (!loaded.ok) {
      undo();
      for (const source of logos) if (!earlierLogos.includes(source)) freeLogo(source);
      return { ...loaded, slot };
    }
    logos.push(loaded.value);
  }
  if (earlier !== null) {
    for (const [slot, source] of earlier.pictures) if (pictures.get(slot) !== source) free(source);
    for (const source of earlierLogos) if (!logos.includes(source)) freeLogo(source);
  }
  const close = (): void => {
    for (const source of pictures.values()) free(source);
    for (const source of logos) freeLogo(source);
  };
  const [logo = null, logoOnDark = null] = logos;
  return { ok: true, value: { family, pictures, logo, logoOnDark, close } };
}

/** The pictures that a family shows. */
function slotsOf(
  family: Family,
  assets: PackInputs["assets"],
): readonly (readonly [slot: PictureSlot, asset: PackAsset])[] {
  const isShown = (slot: PictureSlot): boolean =>
    slot === "secondaryMedia" ? family === "duo" : slot === HERO_SLOT[family] || slot === "background";
  return PICTURE_SLOTS.filter(isShown).flatMap((slot) => {
    const asset = assets[slot];
    return asset === undefined ? [] : [[slot, asset] as const];
  });
}

/** Logos are decoded to the same size in every pack. */
async function logoOf(
  engine: Engine,
  asset: PackAsset,
  earlier: readonly Source<LoadedLogo>[],
): Promise<Result<Source<LoadedLogo>>> {
  const known = earlier.find((source) => source.asset === asset);
  if (known !== undefined) return { ok: true, value: known };
  const loaded = await loadLogo(engine, asset);
  return loaded.ok ? { ok: true, value: { asset, loaded: loaded.value } } : loaded;
}

const free = ({ loaded }: PictureSource): void => loaded.picture.pyramid.free();
const freeLogo = ({ loaded }: Source<LoadedLogo>): void => loaded.logo.pyramid.free();
