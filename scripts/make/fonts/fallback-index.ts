import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { openFontFile } from "#renderer/type/font-file.ts";
import type { ShaperModules } from "#renderer/type/harfbuzz.ts";
import { inRoot } from "../../local/paths.ts";
import type { FallbackFamily } from "./fallback-sources.ts";
import { makeLibraryFile } from "./make-library.ts";

const compile = async (name: string): Promise<WebAssembly.Module> =>
  new WebAssembly.Module(await readFile(inRoot(`src/renderer/type/${name}.wasm`)));

/** Seven bits per byte, lowest first. */
function* varint(value: number): Generator<number> {
  for (let rest = value; ; rest >>>= 7) {
    if (rest < 128) return yield rest;
    yield (rest & 127) | 128;
  }
}

function codePointsOf(modules: ShaperModules, name: string, font: Uint8Array): Iterable<number> {
  const opened = openFontFile(modules, font);
  if (!opened.ok) throw new Error(`${name}: ${opened.message}`);
  return opened.value.regular.codePoints(0);
}

async function* entriesOf(modules: ShaperModules, { id, files }: FallbackFamily): AsyncGenerator<number> {
  yield* varint(id.length);
  yield* new TextEncoder().encode(id);
  yield* varint(files.length);
  const fileOf = new Map<number, number>();
  for (const [number, source] of files.entries()) {
    const font = await makeLibraryFile(source);
    yield* createHash("sha256").update(font).digest();
    for (const codePoint of codePointsOf(modules, source.name, font)) {
      if (!fileOf.has(codePoint)) fileOf.set(codePoint, number);
    }
  }
  const ranges: { start: number; end: number; file: number }[] = [];
  for (const [codePoint, file] of [...fileOf].sort(([a], [b]) => a - b)) {
    const last = ranges.at(-1);
    if (last !== undefined && last.end === codePoint && last.file === file) last.end += 1;
    else ranges.push({ start: codePoint, end: codePoint + 1, file });
  }
  yield* varint(ranges.length);
  let end = 0;
  for (const range of ranges) {
    yield* varint(range.start - end);
    yield* varint(range.end - range.start - 1);
    yield* varint(range.file);
    end = range.end;
  }
}

/** Creates the index that src/renderer/fonts/fallback-index.ts reads, from the fonts. */
export async function makeFallbackIndex(families: readonly FallbackFamily[]): Promise<Uint8Array> {
  const modules = { textShaper: await compile("shaper"), outlinePen: await compile("outline-pen") };
  const bytes: number[] = [...varint(families.length)];
  for (const family of families) for await (const byte of entriesOf(modules, family)) bytes.push(byte);
  return Uint8Array.from(bytes);
}
