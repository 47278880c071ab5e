import codecAddress from "libheif-js/libheif-wasm/libheif-bundle.mjs?url";

/** Worker that converts one HEIC file to JPEG, or to PNG if it has transparency; the page then terminates it. */

/** The used parts of libheif-js. Its published file is loaded unmodified. */
interface Libheif {
  readonly HeifDecoder: new () => { readonly decode: (bytes: Uint8Array) => readonly HeifImage[] };
}
interface HeifImage {
  readonly get_width: () => number;
  readonly get_height: () => number;
  readonly is_primary: () => boolean;
  readonly has_alpha_channel: () => boolean;
  /** Writes the pixels, with the orientation applied. Calls `done` with null if the file is damaged. */
  readonly display: (pixels: ImageData, done: (shown: ImageData | null) => void) => void;
}

const QUALITY = 0.93;

self.addEventListener("message", ({ data: { file, pixelsMax } }: MessageEvent<HeicRequest>) => {
  void convert(file, pixelsMax).then(
    (made) => self.postMessage(made),
    () => self.postMessage(null),
  );
});

export interface HeicRequest {
  readonly file: Blob;
  readonly pixelsMax: number;
}

async function convert(file: Blob, pixelsMax: number): Promise<Blob | null> {
  const { default: load }: { readonly default: () => Libheif } = await import(
    /* @vite-ignore */ codecAddress
  );
  const bytes = new Uint8Array(await file.arrayBuffer());
  const images = new (load().HeifDecoder)().decode(bytes);
  const image = images.find((one) => one.is_primary()) ?? images[0];
  if (image === undefined) return null;
  const [width, height] = [image.get_width(), image.get_height()];
  if (width * height > pixelsMax) return null;
  const pixels = await new Promise<ImageData | null>((resolve) =>
    image.display(new ImageData(width, height), resolve),
  );
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d");
  if (pixels === null || context === null) return null;
  context.putImageData(pixels, 0, 0);
  if (image.has_alpha_channel()) return canvas.convertToBlob({ type: "image/png" });
  const jpeg = await canvas.convertToBlob({ type: "image/jpeg", quality: QUALITY });
  return withProfile(jpeg, colourProfileOf(bytes));
}

/** Maximum length of a profile that fits in one JPEG segment. Camera profiles are about 0.5 KB long. */
const PROFILE_BYTES_MAX = 65_000;
const SEGMENT_HEAD = "ICC_PROFILE\0\x01\x01";

/**
 * The ICC profile in the property `colr` (ISO/IEC 14496-12, 12.1.5); null if there is none. The pixels from libheif use
 * this profile.
 */
function colourProfileOf(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> | null {
  const at = new TextDecoder("latin1").decode(bytes).indexOf("colrprof");
  if (at < 4) return null;
  const length = new DataView(bytes.buffer).getUint32(at - 4) - 12;
  return length > 128 && length <= PROFILE_BYTES_MAX ? bytes.slice(at + 8, at + 8 + length) : null;
}

/** Inserts a colour profile after the first marker of a JPEG (ICC.1, annex B.4). */
function withProfile(jpeg: Blob, profile: Uint8Array<ArrayBuffer> | null): Blob {
  if (profile === null) return jpeg;
  const length = 2 + SEGMENT_HEAD.length + profile.length;
  const marker = new Uint8Array([0xff, 0xe2, length >> 8, length & 255]);
  return new Blob([jpeg.slice(0, 2), marker, SEGMENT_HEAD, profile, jpeg.slice(2)], { type: jpeg.type });
}
