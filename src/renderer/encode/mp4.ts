import { concatUint8Arrays } from "uint8array-extras";
import { type CanvasMemory, freeRaster, lender } from "../buffers.ts";
import { failure, type Raster, type Result } from "../types.ts";
import type { H264Codec, H264Stream } from "./h264.ts";
import { ANIMATION_BYTES_MAX, byteCapUnreachable } from "./limits.ts";

export interface VideoShape {
  /** Must be even. */
  readonly width: number;
  /** Must be even. */
  readonly height: number;
  readonly frames: number;
  readonly framesPerSecond: number;
}

/** Seconds from one key frame to the next: players can seek there. */
const KEY_FRAME_S = 1;

/** A frame as NAL units in Annex B. */
export type EncodedFrame = Uint8Array;

/** H.264 quantiser at which SSIM to the drawn frames, in `yuv420p`, is at least 0.98 (test/motion/mp4.long.test.ts). */
const QUANTISER = 24;
/** Frames between two pauses. At the largest size they take half a second of CPU time. */
const FRAMES_AT_ONCE = 5;

const ENCODER_FAILED = failure("FORMAT_UNSUPPORTED", "The video could not be written as mp4.");

/** Draws a frame in pixels from `memory`; null when it is the same as the previous frame. */
export type DrawVideoFrame = (frame: number, memory: CanvasMemory) => Raster | null;

/** A stream whose frames are drawn in the encoder's memory. It takes 11 bytes per pixel of one frame. */
export interface VideoStream {
  readonly stream: H264Stream;
  /** Allocates one canvas at a time, in the pixels of the frame. */
  readonly memory: CanvasMemory;
}

/** Allocates a stream in the codec's memory. */
export function openVideo(codec: H264Codec, { width, height, framesPerSecond }: VideoShape): VideoStream {
  const stream = codec.open(width, height, framesPerSecond * KEY_FRAME_S);
  return { stream, memory: lender(stream.pixels) };
}

/**
 * Encodes frames one after another. Only encoded frames stay in memory. `pause` lets other work of the isolate run.
 * Fails with FORMAT_UNSUPPORTED when the encoder failed, and with BYTE_CAP_UNREACHABLE as soon as frames take more than
 * `bytesMax`.
 */
export async function encodeFrames(
  { stream, memory }: VideoStream,
  draw: DrawVideoFrame,
  frames: number,
  pause: () => Promise<unknown>,
  bytesMax: number = ANIMATION_BYTES_MAX,
): Promise<Result<readonly EncodedFrame[]>> {
  const encoded: EncodedFrame[] = [];
  let total = 0;
  for (let frame = 0; frame < frames; frame += 1) {
    if (frame % FRAMES_AT_ONCE === 0) await pause();
    const drawn = draw(frame, memory);
    if (drawn !== null) {
      if (drawn.pixels !== stream.pixels) stream.pixels.set(drawn.pixels);
      freeRaster(drawn);
    }
    const bytes = stream.encode(QUANTISER);
    if (bytes === null) return ENCODER_FAILED;
    encoded.push(bytes);
    total += bytes.length;
    if (total > bytesMax) return byteCapUnreachable(null, bytesMax, "MP4");
  }
  return { ok: true, value: encoded };
}

/** A filler NAL unit (type 12), which decoders skip: its first bytes, its last byte, and the repeated byte between. */
const FILLER = { head: [0, 0, 0, 1, 12], end: 0x80, byte: 0xff } as const;

/** Pads frames to `bytesMin` in total: some networks set a minimum bit rate, which flat pictures do not reach. */
export function padFrames(frames: readonly EncodedFrame[], bytesMin: number): readonly EncodedFrame[] {
  const missing = bytesMin - frames.reduce((sum, { length }) => sum + length, 0);
  if (missing <= 0) return frames;
  const each = Math.ceil(missing / frames.length) + FILLER.head.length + 1;
  const filler = new Uint8Array(each).fill(FILLER.byte);
  filler.set(FILLER.head);
  filler[each - 1] = FILLER.end;
  return frames.map((frame) => concatUint8Arrays([frame, filler]));
}
