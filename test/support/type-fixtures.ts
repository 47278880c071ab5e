import { type FontSet, openFontSet, type TextRequest } from "#renderer/type/index.ts";
import { loadCodecModules, loadFontSources } from "./node-modules.ts";
import { unwrap } from "./unwrap.ts";

/** Fonts and requests for tests of typesetting. */

export const source = { modules: await loadCodecModules() };
export const bundled = await loadFontSources();

/** Opens an uploaded font or the bundled ones; fails the test if that fails. */
export async function openFonts(uploaded: Uint8Array | null): Promise<FontSet> {
  return unwrap(await openFontSet(source, bundled, uploaded));
}

/** A request with generous bounds, which tests narrow. */
export function textRequest(text: string, narrowed: Partial<TextRequest> = {}): TextRequest {
  return {
    text,
    weight: "bold",
    widthPx: 600,
    heightPx: 400,
    fontSizePxMax: 40,
    fontSizePxMin: 10,
    linesMax: 4,
    lineHeight: 1.1,
    align: "start",
    ...narrowed,
  };
}
