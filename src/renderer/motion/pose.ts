/** How a text, button or badge is drawn in one frame. */
export interface Pose {
  /** Moved by whole pixels. */
  readonly shiftX: number;
  readonly shiftY: number;
  /** 0..255. */
  readonly opacity: number;
  /** Size against that at rest, about its middle. */
  readonly times: number;
  /** Share 0..1 of its width that is shown, from where reading starts. */
  readonly shown: number;
  /** The same of its first part alone: a button's fill, outline or rule. */
  readonly shapeShown: number;
}

export const AT_REST: Pose = { shiftX: 0, shiftY: 0, opacity: 255, times: 1, shown: 1, shapeShown: 1 };

export const isAtRest = ({ shiftX, shiftY, opacity, times, shown, shapeShown }: Pose): boolean =>
  shiftX === 0 && shiftY === 0 && opacity === 255 && times === 1 && shown === 1 && shapeShown === 1;
