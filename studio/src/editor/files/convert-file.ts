import { ENDINGS, mediaTypeOf } from "creative-packs/internal";
import type { MimeType } from "creative-packs-service/slots";
import { convertHeic } from "#engine/convert-heic.ts";
import { createEngine } from "#engine/engine.ts";
import type { Engine } from "#engine/types.ts";

/** Files that can be converted: formats that no slot accepts, and pictures with too many pixels (`large`). */
export type Convertible = "HEIC" | "WOFF" | "WOFF2" | "large";

export const isConvertible = (kind: string | null): kind is Convertible =>
  kind === "HEIC" || kind === "WOFF" || kind === "WOFF2";

/** Converts a file to one that a slot accepts; null if that fails. */
export type Convert = (given: Blob, what: Convertible) => Promise<Blob | null>;

/** Returns a function that converts files in the browser. `engine`: null until it has started. */
export const converterWith =
  (engine: Engine | null): Convert =>
  async (given, what) => {
    if (what === "WOFF" || what === "WOFF2") return unpackFont(given, what);
    return what === "HEIC" ? convertHeic(given) : reduce(given, engine);
  };

async function reduce(given: Blob, open: Engine | null): Promise<Blob | null> {
  const mimeType = mediaTypeOf(new Uint8Array(await given.slice(0, 64).arrayBuffer()));
  if (mimeType === null) return null;
  const engine = open ?? createEngine();
  const reduced = await engine.reduce({ id: "large", mimeType, file: given });
  if (open === null) engine.close();
  return reduced.ok ? reduced.value : null;
}

async function unpackFont(given: Blob, what: "WOFF" | "WOFF2"): Promise<Blob | null> {
  try {
    const packed = new Uint8Array(await given.arrayBuffer());
    const font =
      what === "WOFF"
        ? await (await import("woff-lib/woff/decode")).woffDecode(packed)
        : await (await import("woff-lib/woff2/decode")).woff2Decode(packed);
    return new Blob([new Uint8Array(font)], { type: mediaTypeOf(font) ?? "" });
  } catch {
    return null;
  }
}

/** A file's name after conversion. */
export const convertedName = (name: string, mimeType: MimeType): string =>
  `${name.replace(/\.[^.]*$/, "")}.${ENDINGS[mimeType]}`;
