import type { Box } from "#renderer/types.ts";
import { type Design, movedBlock, type PlacedPicture, type PlacedText, type Scrim } from "./design.ts";

/** Mirrors a design for right-to-left text: positions are mirrored, pictures and words are not. */
export function mirrored(design: Design, width: number): Design {
  const flip = <B extends Box>(box: B): B => ({ ...box, x: width - box.x - box.width });
  const flipText = (text: PlacedText): PlacedText => {
    const { inkBox } = text.set;
    const glyphs = flip({ ...text.ink, x: text.x + inkBox.x, width: inkBox.width });
    return { ...text, ink: flip(text.ink), x: glyphs.x - inkBox.x };
  };
  const { textCard } = design;
  return {
    ...movedBlock(design, flip, flipText),
    pictures: design.pictures.map((picture) => mirroredPicture(picture, width)),
    scrims: design.scrims.map((scrim) => mirroredScrim(scrim, width)),
    ...(textCard === undefined ? {} : { textCard: { ...textCard, box: flip(textCard.box) } }),
  };
}

/** A box at its mirrored place on a canvas of a width. */
export const mirroredBox = (box: Box, width: number): Box => ({ ...box, x: width - box.x - box.width });

/** A picture at its mirrored place; what it shows is not mirrored. */
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

/** A scrim at the other end of a canvas of a width. */
function mirroredScrim(scrim: Scrim, width: number): Scrim {
  const box: Box = { ...scrim.box, x: width - scrim.box.x - scrim.box.width };
  if (scrim.axis === "down") return { ...scrim, box };
  return { ...scrim, box, stops: scrim.stops.map((stop) => ({ ...stop, at: 1 - stop.at })).reverse() };
}
