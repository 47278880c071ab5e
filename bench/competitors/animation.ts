/** Frames on disk: RGBA, one below the other, and how long each shows. */
export interface FramesOnDisk {
  readonly path: string;
  readonly width: number;
  readonly height: number;
  readonly delaysMs: readonly number[];
}
