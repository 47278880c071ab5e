import type { Box } from "../../src/renderer/index.ts";
import { inputsOf, withPack } from "../support/renderer.ts";
import { type Matches, matchFaces } from "./match-faces.ts";
import { assetOf, type MarkedPicture } from "./pictures/index.ts";

/** What the renderer found in a picture, beside its marks. */
export interface Found extends Matches {
  readonly picture: MarkedPicture;
}

/** Prepares a pack of the picture, as a job would, and compares its faces with the marked ones. */
export async function findIn(picture: MarkedPicture): Promise<Found> {
  const finds = await withPack(inputsOf({ assets: { media: assetOf(picture) } }), async ({ hero }) =>
    (hero?.faces ?? []).map(({ box }) => inPixels(box, picture)),
  );
  return { picture, ...matchFaces(picture, finds) };
}

const inPixels = (box: Box, { width, height }: MarkedPicture): Box => ({
  x: box.x * width,
  y: box.y * height,
  width: box.width * width,
  height: box.height * height,
});
