import {
  type BundledFonts,
  type CodecModules,
  createRenderer as createRealRenderer,
  type FontLibrary,
  type PreparedPack,
  type RenderedOutput,
  type Renderer,
  type Result,
} from "#renderer/index.ts";

export * from "#renderer/index.ts";

/**
 * A renderer that does almost no work. It prepares only the first pack and renders only the first output of each size.
 * All files are one byte. A bundle can use it instead of `src/renderer/index.ts` (workerd/bundle.ts), so that load
 * tests with many packs measure the service.
 */

const BYTE = Uint8Array.of(0x2e);

/** Reads each source file, as the renderer does. */
async function readSources({ assets }: Parameters<Renderer["prepare"]>[0]): Promise<Result<null>> {
  for (const asset of Object.values(assets)) {
    if (!("load" in asset)) continue;
    const bytes = await asset.load();
    if (!bytes.ok) return bytes;
  }
  return { ok: true, value: null };
}

export function createRenderer(modules: CodecModules, fonts: BundledFonts, library: FontLibrary): Renderer {
  const real = createRealRenderer(modules, fonts, library);
  const outputs = new Map<string, RenderedOutput>();
  let pack: PreparedPack | null = null;
  return {
    ...real,
    prepare: async (inputs) => {
      const read = await readSources(inputs);
      if (!read.ok) return read;
      if (pack === null) {
        const prepared = await real.prepare(inputs);
        if (!prepared.ok) return prepared;
        // Never closed, because all packs share it.
        pack = { ...prepared.value, close: () => undefined };
      }
      return { ok: true, value: pack };
    },
    render: async (prepared, request) => {
      const { sizeId } = request.size;
      const known = outputs.get(sizeId);
      if (known !== undefined) return { ok: true, value: known };
      const rendered = await real.render(prepared, request);
      if (!rendered.ok) return rendered;
      const files = rendered.value.files.map((file) => ({ ...file, bytes: BYTE }));
      const output = { ...rendered.value, files };
      outputs.set(sizeId, output);
      return { ok: true, value: output };
    },
  };
}
