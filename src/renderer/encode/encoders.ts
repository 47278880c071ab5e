import type { UseCodec } from "../codec.ts";
import type { H264Codec } from "./h264.ts";
import type { JpegEncoder } from "./jpeg-codec.ts";
import type { WebpEncoder } from "./webp-codec.ts";

export interface Encoders {
  readonly useJpegEncoder: UseCodec<JpegEncoder>;
  readonly useWebpEncoder: UseCodec<WebpEncoder>;
  /** Instantiates the codec for one video, in the memory of the JPEG encoder; the next JPEG gets a new encoder. */
  readonly useVideoEncoder: <T>(task: (codec: H264Codec) => Promise<T>) => Promise<T>;
}
