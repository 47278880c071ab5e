import type { PixelScale } from "#catalogue/scales.ts";
import type { TextBlock } from "#renderer/type/index.ts";
import type { Box } from "#renderer/types.ts";
import type { Canvas } from "./canvas-of-size.ts";
import { type Design, movedBlock, type PlacedText } from "./design.ts";

/**
 * A finished design in a file's pixels. It is laid out at scale 1 and enlarged here, so that a file of twice the pixels
 * shows the very same design: the same composition, line breaks and crops.
 */
export function designAtScale(design: Design, times: PixelScale): Design {
  if (times === 1) return design;
  const grow = growBy(times);
  const growText = (text: PlacedText): PlacedText => ({
    ...text,
    set: blockAtScale(text.set, times),
    x: text.x * times,
    y: text.y * times,
    ink: grow(text.ink),
  });
  const { textCard } = design;
  return {
    ...movedBlock(design, grow, growText),
    pictures: design.pictures.map((picture) => ({
      ...picture,
      box: grow(picture.box),
      sharp: picture.sharp === null ? null : grow(picture.sharp),
      cell: picture.cell === null ? null : grow(picture.cell),
      cornerRadiusPx: picture.cornerRadiusPx * times,
    })),
    scrims: design.scrims.map((scrim) => ({
      ...scrim,
      box: grow(scrim.box),
      ...(scrim.fadePx !== undefined && { fadePx: scrim.fadePx * times }),
    })),
    ...(textCard !== undefined && {
      textCard: { ...textCard, box: grow(textCard.box), cornerRadiusPx: textCard.cornerRadiusPx * times },
    }),
  };
}

/** What the drawing reads of a canvas, in a file's pixels. */
export function canvasAtScale<C extends Canvas>(canvas: C): C {
  const { pixelScale: times, width, height, safe, scale } = canvas;
  if (times === 1) return canvas;
  return {
    ...canvas,
    width: width * times,
    height: height * times,
    safe: growBy(times)(safe),
    scale: { ...scale, marginPx: scale.marginPx * times },
  };
}

export const growBy =
  (times: number) =>
  <B extends Box>(box: B): B => ({
    ...box,
    x: box.x * times,
    y: box.y * times,
    width: box.width * times,
    height: box.height * times,
  });

function blockAtScale(block: TextBlock, times: number): TextBlock {
  const { grid } = block;
  return {
    ...block,
    fontSizePx: block.fontSizePx * times,
    lines: block.lines.map((line) => ({
      ...line,
      widthPx: line.widthPx * times,
      leftPx: line.leftPx * times,
      baselinePx: line.baselinePx * times,
      glyphs: line.glyphs.map(({ ink, ...glyph }) => ({
        ...glyph,
        scale: glyph.scale * times,
        x: glyph.x * times,
        offsetY: glyph.offsetY * times,
        ink: {
          left: ink.left * times,
          top: ink.top * times,
          right: ink.right * times,
          bottom: ink.bottom * times,
        },
      })),
    })),
    widthPx: block.widthPx * times,
    heightPx: block.heightPx * times,
    inkBox: growBy(times)(block.inkBox),
    capHeightPx: block.capHeightPx * times,
    topPx: block.topPx * times,
    grid: {
      designed: grid.designed.map((height) => height * times),
      drawn: grid.drawn.map((height) => height * times),
    },
  };
}
