import type { Size } from "./types.ts";

/** Pixels of the file per pixel of the size, in each direction: 2 for high-density (2x) screens. */
export const SCALES = [1, 2] as const;
export type PixelScale = (typeof SCALES)[number];

/** A size whose `width`, `height` and `safeArea` are in pixels of the file. */
export interface ScaledSize extends Size {
  /** 1 when absent. */
  readonly scale?: PixelScale;
}

/** Whether files at this scale are accepted: scale 2 only if the network documents it. */
export const takesScale = ({ scale2SourceId }: Size, scale: PixelScale): boolean =>
  scale === 1 || scale2SourceId !== undefined;

/** A size with its dimensions multiplied by the scale. The byte cap stays the same. */
export function atScale(size: Size, scale: PixelScale): ScaledSize {
  if (scale === 1) return size;
  const { width, height, safeArea } = size;
  const by = (px: number): number => px * scale;
  const { top, right, bottom, left } = safeArea ?? { top: 0, right: 0, bottom: 0, left: 0 };
  const insets = { top: by(top), right: by(right), bottom: by(bottom), left: by(left) };
  return { ...size, scale, width: by(width), height: by(height), safeArea: safeArea && insets };
}
