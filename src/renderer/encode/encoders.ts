import type { UseCodec } from "../codec.ts";
import type { JpegEncoder } from "./jpeg-codec.ts";
import type { WebpEncoder } from "./webp-codec.ts";

/** The codecs that lossy files are written with. */
export interface Encoders {
  readonly useJpegEncoder: UseCodec<JpegEncoder>;
  readonly useWebpEncoder: UseCodec<WebpEncoder>;
}
