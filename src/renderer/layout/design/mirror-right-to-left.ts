import type { Box } from "#renderer/types.ts";
import { type Design, movedBlock, type PlacedPicture, type PlacedText, type Scrim } from "./design.ts";

/** Mirrors a design for right-to-left text: positions change, pictures and glyphs do not. */
export function mirrored(design: Design, width: number): Design {
  const flip = <B extends Box>(box: B): B => ({ ...box, x: width - box.x - box.width });
  const flipText = (text: PlacedText): PlacedText => {
    const { inkBox } = text.set;
    const glyphs = flip({ ...text.ink, x: text.x + inkBox.x, width: inkBox.width });
    return { ...text, ink: flip(text.ink), x: glyphs.x - inkBox.x };
  };
  const { textCard, graphic } = design;
  const block = movedBlock(design, flip, flipText);
  return {
    ...block,
    button: block.button === null ? null : { ...block.button, isArrowToLeft: true },
    pictures: design.pictures.map((picture) => mirroredPicture(picture, width)),
    scrims: design.scrims.map((scrim) => mirroredScrim(scrim, width)),
    ...(textCard === undefined ? {} : { textCard: { ...textCard, box: flip(textCard.box) } }),
    ...(graphic === undefined
      ? {}
      : { graphic: { ...graphic, field: graphic.field && flip(graphic.field), mark: flip(graphic.mark) } }),
  };
}

/** A box mirrored on a canvas of the given width. */
export const mirroredBox = (box: Box, width: number): Box => ({ ...box, x: width - box.x - box.width });

/** A picture at its mirrored position; its pixels are not mirrored. */
export function mirroredPicture(picture: PlacedPicture, width: number): PlacedPicture {
  const flip = (box: Box): Box => mirroredBox(box, width);
  const flipShares = (shares: Box): Box => ({ ...shares, x: 1 - shares.x - shares.width });
  return {
    ...picture,
    box: flip(picture.box),
    free: flipShares(picture.free),
    part: flipShares(picture.part),
    cell: picture.cell === null ? null : flip(picture.cell),
  };
}

/** A scrim mirrored on a canvas of the given width. */
function mirroredScrim(scrim: Scrim, width: number): Scrim {
  const box: Box = { ...scrim.box, x: width - scrim.box.x - scrim.box.width };
  if (scrim.axis === "down") return { ...scrim, box };
  return { ...scrim, box, stops: scrim.stops.map((stop) => ({ ...stop, at: 1 - stop.at })).reverse() };
}
