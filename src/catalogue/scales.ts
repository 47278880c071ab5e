import type { Size } from "./types.ts";

/** Pixels of a file that one pixel of a size takes, across and down: 2 for screens of double density. */
export const SCALES = [1, 2] as const;
export type PixelScale = (typeof SCALES)[number];

/** A size as its files have it: `width`, `height` and `safeArea` in their pixels. */
export interface ScaledSize extends Size {
  /** 1 when absent. */
  readonly scale?: PixelScale;
}

/** Whether files of a scale are accepted: those of twice the pixels only where the network documents them. */
export const takesScale = ({ scale2SourceId }: Size, scale: PixelScale): boolean =>
  scale === 1 || scale2SourceId !== undefined;

/** A size in the pixels of its files. The byte cap stays as it is published. */
export function atScale(size: Size, scale: PixelScale): ScaledSize {
  if (scale === 1) return size;
  const { width, height, safeArea } = size;
  const by = (px: number): number => px * scale;
  const { top, right, bottom, left } = safeArea ?? { top: 0, right: 0, bottom: 0, left: 0 };
  const insets = { top: by(top), right: by(right), bottom: by(bottom), left: by(left) };
  return { ...size, scale, width: by(width), height: by(height), safeArea: safeArea && insets };
}
