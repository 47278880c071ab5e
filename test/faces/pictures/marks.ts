import type { Box } from "#renderer/index.ts";

/** How a face was judged by eye: what reflects most, least, and what is between. */
export type SkinTone = "light" | "medium" | "dark";

/** What may make a face hard to find. */
export type Trait =
  | "beard"
  | "black and white"
  | "blurred"
  | "covered"
  | "cropped"
  | "glasses"
  | "hat"
  | "headscarf"
  | "looking down"
  | "low light"
  | "profile"
  | "tilted";

/** A face as a person marked it. */
export interface MarkedFace {
  /** From the hairline to the chin, ear to ear, in pixels of the upright picture; of a profile, from the ear to the nose. */
  readonly box: Box;
  /** Null for what is drawn. */
  readonly skin: SkinTone | null;
  readonly traits: readonly Trait[];
  /**
   * A person could barely make it out, or it is drawn: to miss it is no fault, and to find it none either. Unless it is
   * drawn, words may lie on it only where known-damage.ts says that they do: what is not found is not kept free.
   */
  readonly isOptional: boolean;
}

/** A picture of a package, with all faces in it. */
export interface MarkedPicture {
  /** Path under node_modules. */
  readonly path: string;
  /** Pixels of the upright picture. */
  readonly width: number;
  readonly height: number;
  readonly faces: readonly MarkedFace[];
}

type Corners = readonly [x: number, y: number, width: number, height: number];
const boxOf = ([x, y, width, height]: Corners): Box => ({ x, y, width, height });

/** A face that has to be found. */
export const face = (box: Corners, skin: SkinTone, ...traits: readonly Trait[]): MarkedFace => ({
  box: boxOf(box),
  skin,
  traits,
  isOptional: false,
});

/** A face that a person could barely make out. */
export const difficult = (box: Corners, skin: SkinTone, ...traits: readonly Trait[]): MarkedFace => ({
  ...face(box, skin, ...traits),
  isOptional: true,
});

/** A face in a drawing, or of a doll. */
export const drawn = (box: Corners): MarkedFace => ({
  box: boxOf(box),
  skin: null,
  traits: [],
  isOptional: true,
});

/** Makes the pictures of one folder of a package. */
export const picturesIn =
  (folder: string) =>
  (name: string, size: readonly [width: number, height: number], ...faces: readonly MarkedFace[]) => ({
    path: `${folder}/${name}`,
    width: size[0],
    height: size[1],
    faces,
  });
