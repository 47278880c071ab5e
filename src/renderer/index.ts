import { keepRenditions } from "./compose/keep-renditions.ts";
import { preparePack } from "./compose/prepare-pack.ts";
import type { PreparedPack } from "./compose/prepared-pack.ts";
import { createEngine } from "./engine.ts";
import { type PreviewRequest, type RenderedPreview, renderPreview } from "./preview/index.ts";
import { renderOutput } from "./render.ts";
import { type Coverage, indexCharacters, readCharacterIndex, undrawableCharacters } from "./type/index.ts";
import type {
  AssetBytes,
  BundledFonts,
  CodecModules,
  Copy,
  FontLibrary,
  OutputRequest,
  PackInputs,
  RenderedOutput,
  RenditionStore,
  Result,
  VisualSlot,
} from "./types.ts";
import { fitWords, type WordsMisfit, type WordsRequest } from "./words-fit.ts";

export type { PreparedPack } from "./compose/prepared-pack.ts";
export { mayDecodeSlowly } from "./compose/rendition.ts";
export { familyOf } from "./layout/family-from-slots.ts";
export { shapeOf } from "./layout/shape-from-size.ts";
export { PREVIEW_VERSION, type PredictedOutput, type RenderedPreview } from "./preview/index.ts";
export * from "./types.ts";
export { ENGINE_VERSION } from "./version.ts";
export type { WordsMisfit, WordsRequest } from "./words-fit.ts";

/** Draws creative packs. Not re-entrant: one render at a time, since codecs and memory are shared. */
export interface Renderer {
  /**
   * Decodes a picture that is slow to decode and keeps its renditions, so that no pack has to decode it. Does nothing
   * for other pictures (`mayDecodeSlowly`). `source` is the upright size. Throws what the store throws.
   */
  keepRenditions(
    slot: VisualSlot,
    asset: AssetBytes,
    source: { readonly width: number; readonly height: number },
    store: RenditionStore,
  ): Promise<void>;
  /**
   * Decodes each source once, for any sizes: an output's bytes depend on the inputs and its request alone, not on what
   * else is drawn from the pack. Call `close()` on the pack when done.
   * Fails with NO_VISUAL_ASSET, ASSET_UNREADABLE, ASSET_EMPTY or FONT_UNREADABLE.
   */
  prepare(inputs: PackInputs): Promise<Result<PreparedPack>>;
  /**
   * Draws one output of a prepared pack.
   * Fails with HEADLINE_DOES_NOT_FIT, BYTE_CAP_UNREACHABLE, FORMAT_UNSUPPORTED or FONT_UNREADABLE.
   */
  render(pack: PreparedPack, request: OutputRequest): Promise<Result<RenderedOutput>>;
  /**
   * Draws the still of one output as a PNG, reduced (longest edge 640 or 1080 px) and watermarked as requested, and
   * predicts the paid output. Fails with HEADLINE_DOES_NOT_FIT or FONT_UNREADABLE.
   */
  preview(pack: PreparedPack, request: PreviewRequest): Promise<Result<RenderedPreview>>;
  /**
   * The character index of a font: at most 150 KB that can be kept and read instead of the font; for a font that cannot
   * be opened, the reason. Needs memory of twice the font's bytes while it runs.
   */
  indexCharacters(font: Uint8Array): Uint8Array;
  /**
   * Characters of the copy that no font can draw: neither that of a character index (null without one), nor the bundled
   * fonts, nor those of the library; empty when none. Opens no font of the library, and reads its index only for what the
   * others lack. Fails with FONT_UNREADABLE; throws what the library throws.
   */
  missingCharacters(index: Uint8Array | null, copy: Copy): Promise<Result<readonly string[]>>;
  /**
   * The outputs whose headline cannot be set legibly, each with its longest beginning that can: what passes never fails
   * with HEADLINE_DOES_NOT_FIT. Opens fonts and no pictures, and may run beside a render; a few megabytes, and three
   * times an uploaded font. Fails with FONT_UNREADABLE.
   */
  fitWords(request: WordsRequest): Promise<Result<readonly WordsMisfit[]>>;
}

/**
 * Makes a renderer on compiled codecs, the bundled fonts and a library of further ones; nothing is instantiated or fetched
 * before it is needed. What the library throws, `prepare`, `render` and `preview` throw.
 */
export function createRenderer(modules: CodecModules, fonts: BundledFonts, library: FontLibrary): Renderer {
  const engine = createEngine(modules);
  let bundled: Uint8Array | null = null;
  return {
    keepRenditions: (slot, asset, source, store) => keepRenditions(engine, slot, asset, source, store),
    prepare: (inputs) => preparePack(engine, { ...fonts, library }, inputs),
    render: (pack, request) => renderOutput(engine, pack, request),
    preview: (pack, request) => renderPreview(engine, pack, request),
    fitWords: (request) => fitWords(engine, { ...fonts, library }, request),
    indexCharacters: (font) => indexCharacters(engine.modules, font),
    missingCharacters: async (index, copy) => {
      bundled ??= indexCharacters(engine.modules, fonts.regular);
      const coverages: Coverage[] = [];
      for (const one of index === null ? [bundled] : [index, bundled]) {
        const coverage = readCharacterIndex(one);
        if (!coverage.ok) return coverage;
        coverages.push(coverage.value);
      }
      return { ok: true, value: await undrawableCharacters(coverages, library, copy) };
    },
  };
}
