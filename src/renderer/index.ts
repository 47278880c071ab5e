import { findLogoFailure } from "./compose/load-logo.ts";
import { keepRenditions } from "./compose/load-rendition.ts";
import { loadSources, type Sources } from "./compose/load-sources.ts";
import { factsOf, type PictureFacts } from "./compose/picture-facts.ts";
import { dressPack, type PackDress, preparePack } from "./compose/prepare-pack.ts";
import type { PreparedPack } from "./compose/prepared-pack.ts";
import { reduceImage } from "./decode/index.ts";
import { createEngine } from "./engine.ts";
import { type PreviewRequest, type RenderedPreview, renderPreview } from "./preview/index.ts";
import {
  drawOnScreen,
  framesOnScreen,
  type ScreenFrames,
  type ScreenRequest,
  type ScreenStill,
} from "./preview/on-screen.ts";
import { type FileToProtect, protectFile } from "./preview/protection.ts";
import { renderOutput } from "./render.ts";
import {
  type CharacterNeeds,
  type Coverage,
  characterNeeds,
  indexCharacters,
  readCharacterIndex,
} from "./type/index.ts";
import {
  type AssetBytes,
  type BundledFonts,
  type CodecModules,
  type Copy,
  type FontLibrary,
  type FontType,
  type ImageType,
  isImageType,
  type OutputRequest,
  type PackInputs,
  type Raster,
  type RenderedOutput,
  type RenderFailure,
  type RenditionStore,
  type Result,
  type VisualSlot,
} from "./types.ts";
import { findFontFailure, fitWords, type WordsMisfit, type WordsRequest } from "./words-fit.ts";

export type { Sources } from "./compose/load-sources.ts";
export type { PictureFacts } from "./compose/picture-facts.ts";
export type { PreparedPack } from "./compose/prepared-pack.ts";
export { mayDecodeSlowly } from "./compose/rendition.ts";
export { FontLibraryFault } from "./fonts/library-file.ts";
export { shapeOf } from "./layout/design/canvas-of-size.ts";
export { familyOf } from "./layout/family-from-slots.ts";
export type { PlayTimes } from "./motion/compose-animation.ts";
export {
  PREVIEW_VERSION,
  type PredictedOutput,
  type PreviewFrame,
  type PreviewRequest,
  protectedSizeOf,
  type RenderedPreview,
} from "./preview/index.ts";
export type { ScreenFrames, ScreenRequest } from "./preview/on-screen.ts";
export * from "./types.ts";
export { ENGINE_VERSION } from "./version.ts";
export type { WordsMisfit, WordsRequest } from "./words-fit.ts";

/** Draws creative packs. Not re-entrant: codecs and memory are shared, so one render at a time. */
export interface Renderer {
  /**
   * Decodes a picture that is slow to decode and stores its renditions, so that packs skip the decoding. Does nothing
   * for other pictures (`mayDecodeSlowly`). `source` is the picture's upright size. Throws what the store throws.
   */
  keepRenditions(
    slot: VisualSlot,
    asset: AssetBytes,
    source: { readonly width: number; readonly height: number },
    store: RenditionStore,
  ): Promise<void>;
  /**
   * Decodes each source once, for all sizes. An output's bytes depend only on the inputs and its request, not on other
   * outputs of the pack. Call `close()` on the pack when done. Fails with NO_VISUAL_ASSET, ASSET_UNREADABLE,
   * ASSET_EMPTY or FONT_UNREADABLE.
   */
  prepare(inputs: PackInputs): Promise<Result<PreparedPack>>;
  /**
   * Decodes the pictures of packs that are redrawn while words, colours and looks change. Reuses the decoded pictures
   * in `earlier` that belong to the same asset objects, and frees the others. On failure `earlier` is unchanged. Call
   * `close()` on the sources when done. Fails with NO_VISUAL_ASSET, ASSET_UNREADABLE or ASSET_EMPTY.
   */
  load(assets: PackInputs["assets"], earlier: Sources | null): Promise<Result<Sources>>;
  /**
   * Decodes a picture of up to 200 megapixels, larger than the service accepts, and reduces it by the smallest whole
   * factor at which the service accepts it (see `reduceImage`). The result is upright and in sRGB. Fails with
   * ASSET_UNREADABLE.
   */
  reduce(bytes: Uint8Array, mimeType: Exclude<ImageType, "image/svg+xml">): Promise<Result<Raster>>;
  /** The size, faces and colours found in loaded pictures. */
  facts(sources: Sources): ReadonlyMap<VisualSlot, PictureFacts>;
  /**
   * Makes a pack of loaded sources, which stay open. It draws the same bytes as a prepared pack. Close it before the
   * sources. Fails with FONT_UNREADABLE.
   */
  dress(sources: Sources, inputs: PackDress): Promise<Result<PreparedPack>>;
  /**
   * Draws one output of a prepared pack.
   * Fails with HEADLINE_DOES_NOT_FIT, BYTE_CAP_UNREACHABLE, FORMAT_UNSUPPORTED or FONT_UNREADABLE.
   */
  render(pack: PreparedPack, request: OutputRequest): Promise<Result<RenderedOutput>>;
  /**
   * Draws the still of one output as a PNG, reduced to a longest edge of 640 or 1080 px and watermarked as requested,
   * and predicts the paid output. Fails with HEADLINE_DOES_NOT_FIT or FONT_UNREADABLE.
   */
  preview(pack: PreparedPack, request: PreviewRequest): Promise<Result<RenderedPreview>>;
  /**
   * Makes the public preview of a finished still: a reduced, watermarked PNG. Fails with ASSET_UNREADABLE if the still
   * cannot be decoded.
   */
  protect(file: FileToProtect): Promise<Result<Uint8Array>>;
  /**
   * Draws one output of a prepared pack for a screen: the paid layout, reduced, watermarked and not encoded. Fails with
   * HEADLINE_DOES_NOT_FIT, FORMAT_UNSUPPORTED or FONT_UNREADABLE.
   */
  draw(pack: PreparedPack, request: ScreenRequest): Promise<Result<ScreenStill>>;
  /** The frames of an animated output for a screen. Fails as `draw` does. */
  frames(pack: PreparedPack, request: ScreenRequest): Promise<Result<ScreenFrames>>;
  /**
   * The failure that every pack with this logo or font would have; null if the logo or font can be drawn. Draws a logo
   * small, or sets some of a font's characters. Needs the memory of a decoded logo, or three times a font's bytes. For
   * a font, it may run during a render.
   */
  findFailure(bytes: Uint8Array, mimeType: ImageType | FontType): Promise<RenderFailure | null>;
  /**
   * The character index of a font, at most 150 KB, which can be stored and read in place of the font. For a font that
   * cannot be opened it encodes the reason. Needs twice the font's bytes of memory while it runs.
   */
  indexCharacters(font: Uint8Array): Uint8Array;
  /**
   * Font requirements of ad copies: the characters missing in the uploaded font's character index (null without one),
   * the bundled fonts and the library; and the number of library files that all copies need together. Opens no font of
   * the library, and reads its index only for characters that the other fonts lack. Fails with FONT_UNREADABLE; throws
   * what the library throws.
   */
  characterNeeds(index: Uint8Array | null, copies: readonly Copy[]): Promise<Result<CharacterNeeds>>;
  /**
   * The outputs whose headline cannot be set legibly, each with the longest beginning of the headline that fits. The
   * other outputs never fail with HEADLINE_DOES_NOT_FIT. Opens fonts but no pictures, and may run during a render.
   * Needs a few megabytes of memory, and three times an uploaded font's bytes. Fails with FONT_UNREADABLE.
   */
  fitWords(request: WordsRequest): Promise<Result<readonly WordsMisfit[]>>;
}

/**
 * Makes a renderer from compiled codecs, the bundled fonts and a library of further fonts. It instantiates and fetches
 * only on demand. Methods that use the library throw what it throws. `keptBytesMax` bounds the cache of scaled
 * pictures, which avoids scaling them again when only the words change.
 */
export function createRenderer(
  modules: CodecModules,
  fonts: BundledFonts,
  library: FontLibrary,
  keptBytesMax = 0,
): Renderer {
  const engine = createEngine(modules, keptBytesMax);
  let bundled: Uint8Array | null = null;
  return {
    keepRenditions: (slot, asset, source, store) => keepRenditions(engine, slot, asset, source, store),
    prepare: (inputs) => preparePack(engine, { ...fonts, library }, inputs),
    load: (assets, earlier) => loadSources(engine, assets, earlier),
    reduce: async (bytes, mimeType) => {
      const reduced = await reduceImage(engine, bytes, mimeType);
      return reduced.ok ? { ok: true, value: reduced.value.raster } : reduced;
    },
    facts: factsOf,
    dress: (sources, inputs) => dressPack(engine, { ...fonts, library }, sources, inputs, "kept"),
    draw: (pack, request) => drawOnScreen(engine, pack, request),
    frames: (pack, request) => framesOnScreen(engine, pack, request),
    render: (pack, request) => renderOutput(engine, pack, request),
    preview: (pack, request) => renderPreview(engine, pack, request),
    protect: (file) => protectFile(engine, file),
    fitWords: (request) => fitWords(engine, { ...fonts, library }, request),
    findFailure: (bytes, mimeType) =>
      isImageType(mimeType)
        ? findLogoFailure(engine, { bytes, mimeType })
        : findFontFailure(engine, { ...fonts, library }, bytes),
    indexCharacters: (font) => indexCharacters(engine.modules, font),
    characterNeeds: async (index, copies) => {
      bundled ??= indexCharacters(engine.modules, fonts.regular);
      const coverages: Coverage[] = [];
      for (const one of index === null ? [bundled] : [index, bundled]) {
        const coverage = readCharacterIndex(one);
        if (!coverage.ok) return coverage;
        coverages.push(coverage.value);
      }
      return { ok: true, value: await characterNeeds(coverages, library, copies) };
    },
  };
}
