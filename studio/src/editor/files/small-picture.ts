import type { Pixels } from "./picture-pixels.ts";

/** A picture as the browser shows it, scaled down. */
export interface SmallPicture {
  /** Size of the whole picture if the browser reports it. For photos, only the aspect ratio is exact. */
  readonly width: number;
  readonly height: number;
  readonly picture: Blob | null;
  /** Pixels for the colour analysis, smaller than the thumbnail. */
  readonly pixels: Pixels;
}

/** Longest edge of a thumbnail: sharp at the form's width on a 2x screen. */
const EDGE_PX_MAX = 720;
const PIXELS_EDGE_PX_MAX = 96;

/** Makes a thumbnail; null if the browser cannot show the file. The file may still be valid. */
export async function showSmall(file: Blob): Promise<SmallPicture | null> {
  const source = await decode(file);
  if (source === null) return null;
  const thumbnail = drawAt(source, EDGE_PX_MAX);
  const tiny = drawAt(source, PIXELS_EDGE_PX_MAX);
  source.close();
  if (thumbnail === null || tiny === null) return null;
  const { width, height } = tiny.canvas;
  const { data } = tiny.getImageData(0, 0, width, height);
  // JPEG is encoded much faster than WebP, and the grid waits for this.
  const type = file.type === "image/jpeg" ? "image/jpeg" : "image/webp";
  return {
    width: source.width,
    height: source.height,
    picture: await thumbnail.canvas.convertToBlob({ type, quality: 0.85 }).catch(() => null),
    pixels: { width, height, data },
  };
}

interface Source {
  readonly width: number;
  readonly height: number;
  readonly image: CanvasImageSource;
  readonly close: () => void;
}

async function decode(file: Blob): Promise<Source | null> {
  try {
    return file.type === "image/svg+xml" ? await decodeVector(file) : await decodeRaster(file);
  } catch {
    return null;
  }
}

/** Scales while decoding, so that a phone need not hold a large photo in memory. */
async function decodeRaster(file: Blob): Promise<Source> {
  const image = await createImageBitmap(file, { resizeWidth: EDGE_PX_MAX, resizeQuality: "medium" });
  return { width: image.width, height: image.height, image, close: () => image.close() };
}

async function decodeVector(file: Blob): Promise<Source> {
  const image = new Image();
  const address = URL.createObjectURL(file);
  const close = (): void => URL.revokeObjectURL(address);
  image.src = address;
  await image.decode().catch((error: unknown) => {
    close();
    throw error;
  });
  // An SVG without a size gets the browser's default size.
  const [width, height] = [image.naturalWidth || 300, image.naturalHeight || 150];
  return { width, height, image, close };
}

function drawAt({ image, width, height }: Source, edgePx: number): OffscreenCanvasRenderingContext2D | null {
  const scale = edgePx / Math.max(width, height);
  const canvas = new OffscreenCanvas(
    Math.max(1, Math.round(width * scale)),
    Math.max(1, Math.round(height * scale)),
  );
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return context;
}
