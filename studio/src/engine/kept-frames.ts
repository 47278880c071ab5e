/** Frames of a grid's tiles: one play of several, half a play of one size shown large. */
const BYTES_MAX = 64 * 1024 * 1024;

/** The frames drawn last, by their keys: a tile that is played or dragged over again need not draw them twice. */
export interface KeptFrames {
  readonly get: (key: string) => ImageData | null;
  /** Drops those that were used least recently, so that all together keep the limit. */
  readonly keep: (key: string, picture: ImageData) => void;
}

export function createKeptFrames(bytesMax = BYTES_MAX): KeptFrames {
  // In the order in which they were used.
  const kept = new Map<string, ImageData>();
  let bytes = 0;
  const drop = (key: string): ImageData | null => {
    const picture = kept.get(key);
    if (picture === undefined) return null;
    kept.delete(key);
    bytes -= picture.data.byteLength;
    return picture;
  };
  const keep = (key: string, picture: ImageData): void => {
    drop(key);
    kept.set(key, picture);
    bytes += picture.data.byteLength;
    for (const oldest of kept.keys()) {
      if (bytes <= bytesMax) break;
      drop(oldest);
    }
  };
  return {
    get: (key) => {
      const picture = drop(key);
      if (picture !== null) keep(key, picture);
      return picture;
    },
    keep,
  };
}
