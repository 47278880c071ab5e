import type { PixelScale } from "#catalogue/scales.ts";
import type { TextBlock } from "#renderer/type/index.ts";
import type { Box } from "#renderer/types.ts";
import type { Canvas } from "./canvas-of-size.ts";
import { type Design, movedBlock, type PlacedText } from "./design.ts";

/**
 * A finished design in a file's pixels. The layout is made at scale 1 and enlarged here, so that a 2x file has the same
 * composition, line breaks and crops.
 */
export function designAtScale(design: Design, times: PixelScale): Design {
  if (times === 1) return design;
  const grow = growBy(times);
  const growText = (text: PlacedText): PlacedText => {
    const { x, y, ink, set } = text;
    return { ...text, x: x * times, y: y * times, ink: grow(ink), set: blockAtScale(set, times) };
  };
  const { pictures, scrims, textCard, graphic } = design;
  return {
    ...movedBlock(design, grow, growText),
    pictures: pictures.map((picture) => {
      const { box, cell, cornerRadiusPx } = picture;
      const boxes = { box: grow(box), cell: cell && grow(cell) };
      return { ...picture, ...boxes, cornerRadiusPx: cornerRadiusPx * times };
    }),
    scrims: scrims.map((scrim) => ({ ...scrim, box: grow(scrim.box), fadePx: (scrim.fadePx ?? 0) * times })),
    ...(graphic !== undefined && {
      graphic: { ...graphic, field: graphic.field && grow(graphic.field), mark: grow(graphic.mark) },
    }),
    ...(textCard !== undefined && {
      textCard: { ...textCard, box: grow(textCard.box), cornerRadiusPx: textCard.cornerRadiusPx * times },
    }),
  };
}

/** A canvas in a file's pixels. Only the parts that drawing reads are scaled. */
export function canvasAtScale<C extends Canvas>(canvas: C): C {
  const { pixelScale: times, width, height, safe, scale } = canvas;
  const margins = { ...scale, marginPx: scale.marginPx * times };
  return {
    ...canvas,
    width: width * times,
    height: height * times,
    safe: growBy(times)(safe),
    scale: margins,
  };
}

export const growBy =
  (times: number) =>
  <B extends Box>(box: B): B => {
    const { x, y, width, height } = box;
    return { ...box, x: x * times, y: y * times, width: width * times, height: height * times };
  };

function blockAtScale(block: TextBlock, times: number): TextBlock {
  const by = (px: number): number => px * times;
  const { fontSizePx, widthPx, heightPx, capHeightPx, topPx, inkBox, grid } = block;
  const sizes = { fontSizePx: by(fontSizePx), widthPx: by(widthPx), heightPx: by(heightPx) };
  const heights = { capHeightPx: by(capHeightPx), topPx: by(topPx), inkBox: growBy(times)(inkBox) };
  const lines = block.lines.map((line) => {
    const { widthPx: width, leftPx, baselinePx } = line;
    const glyphs = line.glyphs.map((glyph) => {
      const { left, top, right, bottom } = glyph.ink;
      const ink = { left: by(left), top: by(top), right: by(right), bottom: by(bottom) };
      return { ...glyph, scale: by(glyph.scale), x: by(glyph.x), offsetY: by(glyph.offsetY), ink };
    });
    return { ...line, widthPx: by(width), leftPx: by(leftPx), baselinePx: by(baselinePx), glyphs };
  });
  const drawnOn = { designed: grid.designed.map(by), drawn: grid.drawn.map(by) };
  return { ...block, ...sizes, ...heights, lines, grid: drawnOn };
}
