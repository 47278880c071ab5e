import type { Size, StaticFormat } from "../contract/catalogue/types.ts";
import { judge } from "./compliance.ts";
import { preparePack } from "./compose/prepare.ts";
import type { PreparedPack } from "./compose/prepared.ts";
import { reportOf } from "./compose/report.ts";
import { composeScene, flattenScene } from "./compose/scene.ts";
import { encodeStill } from "./encode/index.ts";
import { createEngine, type Engine } from "./engine.ts";
import { missingCharacters, openFontSet } from "./type/index.ts";
import type {
  BundledFonts,
  CodecModules,
  Copy,
  LayoutReport,
  OutputRequest,
  PackInputs,
  Raster,
  RenderedFile,
  RenderedOutput,
  Result,
} from "./types.ts";

export type { PreparedPack } from "./compose/prepared.ts";
export { type Inspected, inspect } from "./decode/inspect.ts";
export { familyOf } from "./layout/family.ts";
export { shapeOf } from "./layout/shape.ts";
export * from "./types.ts";
export { ENGINE_VERSION } from "./version.ts";

/** Draws creative packs. Not re-entrant: one render at a time, since codecs and memory are shared. */
export interface Renderer {
  /**
   * Decodes each source once, at the largest size that any of `sizes` needs. Call `close()` on the pack when done.
   * Fails with NO_VISUAL_ASSET, ASSET_UNREADABLE, ASSET_EMPTY or FONT_UNREADABLE.
   */
  prepare(inputs: PackInputs, sizes: readonly Size[]): Promise<Result<PreparedPack>>;
  /**
   * Draws one output of a prepared pack.
   * Fails with HEADLINE_DOES_NOT_FIT, BYTE_CAP_UNREACHABLE, FORMAT_UNSUPPORTED or FONT_UNREADABLE.
   */
  render(pack: PreparedPack, request: OutputRequest): Promise<Result<RenderedOutput>>;
  /** Characters of the copy that the font (or, for null, the bundled fonts) cannot draw; empty when none. */
  missingCharacters(font: Uint8Array | null, copy: Copy): Promise<Result<readonly string[]>>;
}

const STILL_TYPES = { png: "image/png", jpg: "image/jpeg", webp: "image/webp" } as const;

/** Makes a renderer on compiled codecs and the bundled fonts; nothing is instantiated before it is needed. */
export function createRenderer(modules: CodecModules, fonts: BundledFonts): Renderer {
  const engine = createEngine(modules);
  return {
    prepare: (inputs, sizes) => preparePack(engine, fonts, inputs, sizes),
    render: (pack, request) => render(engine, pack, request),
    missingCharacters: async (font, copy) => {
      const opened = await openFontSet(engine, fonts, font);
      if (!opened.ok) return opened;
      const texts = [copy.headline, copy.subheadline, copy.cta, copy.disclaimer];
      const missing = new Set(texts.flatMap((text) => missingCharacters(opened.value, text ?? "")));
      opened.value.close();
      return { ok: true, value: [...missing] };
    },
  };
}

async function render(
  engine: Engine,
  pack: PreparedPack,
  request: OutputRequest,
): Promise<Result<RenderedOutput>> {
  const { size, motion, format } = request;
  if (motion === "animated" || !isStill(format)) {
    return {
      ok: false,
      code: "FORMAT_UNSUPPORTED",
      message: `A ${motion} output cannot be made as ${format}; a static one takes png, jpg or webp.`,
    };
  }
  const scene = composeScene(pack, size);
  if (!scene.ok) return scene;
  const { canvas, hasBorder } = flattenScene(scene.value, size.needsBorder);
  const layout = reportOf(pack, scene.value, hasBorder);
  return renderStill(engine, canvas, format, size, layout);
}

async function renderStill(
  engine: Engine,
  canvas: Raster,
  format: StaticFormat,
  size: Size,
  layout: LayoutReport,
): Promise<Result<RenderedOutput>> {
  const encoded = await encodeStill(engine, canvas, format, size.byteCap);
  if (!encoded.ok) return encoded;
  const report: LayoutReport = encoded.value.reduced
    ? {
        ...layout,
        adjustments: [
          ...layout.adjustments,
          {
            code: "quality_reduced",
            element: null,
            message: `The file was compressed harder than preferred to stay within ${size.byteCap} bytes.`,
          },
        ],
      }
    : layout;
  const unjudged: Omit<RenderedFile, "compliance"> = {
    role: "primary",
    bytes: encoded.value.bytes,
    contentType: STILL_TYPES[format],
    extension: format,
    width: canvas.width,
    height: canvas.height,
    animation: null,
  };
  const file = { ...unjudged, compliance: judge(unjudged, size, report) };
  return { ok: true, value: { sizeId: size.sizeId, files: [file], layout: report } };
}

function isStill(format: OutputRequest["format"]): format is StaticFormat {
  return format === "png" || format === "jpg" || format === "webp";
}
