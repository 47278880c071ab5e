import { BufferTarget, EncodedPacket, EncodedVideoPacketSource, Mp4OutputFormat, Output } from "mediabunny";
import { freeBytes } from "../buffers.ts";
import { isKeyFrame } from "./h264.ts";
import type { EncodedFrame, VideoShape } from "./mp4.ts";

/**
 * Writes encoded frames as an MP4 with one H.264 track, constrained baseline profile, `yuv420p` and BT.709, its index
 * before its data. Frees each frame once it is copied. The same frames yield the same file.
 */
export async function writeMp4(
  frames: readonly EncodedFrame[],
  { width, height, framesPerSecond }: VideoShape,
): Promise<Uint8Array> {
  const target = new BufferTarget();
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: "in-memory" }), target });
  const source = new EncodedVideoPacketSource("avc");
  output.addVideoTrack(source, { frameRate: framesPerSecond });
  await output.start();
  for (const [at, frame] of frames.entries()) {
    const kind = isKeyFrame(frame) ? "key" : "delta";
    const packet = new EncodedPacket(frame, kind, at / framesPerSecond, 1 / framesPerSecond);
    await source.add(packet, at === 0 ? { decoderConfig: decoderConfigOf(frame, width, height) } : undefined);
    freeBytes(frame);
  }
  await output.finalize();
  if (target.buffer === null) throw new Error("An MP4 has bytes once it is finished.");
  return withoutTimes(new Uint8Array(target.buffer));
}

const decoderConfigOf = (first: Uint8Array, codedWidth: number, codedHeight: number) => ({
  // Profile, constraints and level as in the sequence parameter set.
  codec: `avc1.${[5, 6, 7].map((at) => (first[at] ?? 0).toString(16).padStart(2, "0")).join("")}`,
  codedWidth,
  codedHeight,
  colorSpace: { primaries: "bt709", transfer: "bt709", matrix: "bt709", fullRange: false } as const,
});

/** Boxes with a creation and a modification time, and their parents. */
const TIMED = ["mvhd", "tkhd", "mdhd"];
const PARENTS = ["moov", "trak", "mdia"];
/** The two times follow length, name, version and flags. In version 0 each time has 4 bytes. */
const [TIMES_AT, TIMES_BYTES] = [12, 8] as const;

/** Zeroes creation and modification times, so that the same frames yield the same file. */
function withoutTimes(file: Uint8Array): Uint8Array {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const visit = (from: number, to: number): void => {
    for (let at = from; at + 8 <= to; ) {
      const length = view.getUint32(at);
      const name = String.fromCharCode(...file.subarray(at + 4, at + 8));
      if (TIMED.includes(name)) file.fill(0, at + TIMES_AT, at + TIMES_AT + TIMES_BYTES);
      if (PARENTS.includes(name)) visit(at + 8, at + length);
      if (length < 8) return;
      at += length;
    }
  };
  visit(0, file.length);
  return file;
}
