/** Maximum memory for frames: enough for the animations of several tiles, or half the animation of a large size. */
const BYTES_MAX = 64 * 1024 * 1024;

/** Cache of recent frames by key, so that replaying a tile draws nothing twice. */
export interface FrameCache {
  readonly get: (key: string) => ImageData | null;
  /** Evicts the least recently used frames beyond the limit. */
  readonly keep: (key: string, picture: ImageData) => void;
}

export function createFrameCache(bytesMax = BYTES_MAX): FrameCache {
  // In order of use, the least recently used frame first.
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
