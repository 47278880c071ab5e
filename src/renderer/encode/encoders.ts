import type { UseCodec } from "../codec.ts";
import type { H264Codec } from "./h264.ts";
import type { JpegEncoder } from "./jpeg-codec.ts";
import type { WebpEncoder } from "./webp-codec.ts";

/** The codecs that lossy files and videos are written with. */
export interface Encoders {
  readonly useJpegEncoder: UseCodec<JpegEncoder>;
  readonly useWebpEncoder: UseCodec<WebpEncoder>;
  /** A new one for each video, which takes up to 23 MB. */
  readonly createVideoEncoder: () => H264Codec;
}
