import { expect, it, vi } from "vitest";
import { createH264Codec, type H264Codec } from "#renderer/encode/h264.ts";
import { encodeFrames, openVideo, padFrames, type VideoShape } from "#renderer/encode/mp4.ts";
import { writeMp4 } from "#renderer/encode/mp4-muxer.ts";
import type { Raster } from "#renderer/types.ts";
import { boxAt, boxesIn } from "../support/mp4-boxes.ts";
import { loadCodecModules } from "../support/node-modules.ts";
import { unwrap } from "../support/unwrap.ts";

/**
 * Guarantee: an MP4 has the structure that networks require, checked without a decoder. test/motion/mp4.long.test.ts
 * decodes videos.
 */

const SHAPE: VideoShape = { width: 96, height: 64, frames: 30, framesPerSecond: 25 };
const TABLES = "moov/trak/mdia/minf/stbl";
let pauses = 0;

/** A light column that moves over a dark background. */
function drawColumn(frame: number): Raster {
  const { width, height } = SHAPE;
  const pixels = new Uint8ClampedArray(width * height * 4).fill(255);
  for (let at = 0; at < width * height; at += 1)
    if (Math.abs((at % width) - frame * 2) > 8) pixels.set([20, 40, 90], at * 4);
  return { width, height, pixels, alpha: "opaque" };
}

const openCodec = async (): Promise<H264Codec> =>
  createH264Codec((await loadCodecModules()).videoEncoder, new WebAssembly.Memory({ initial: 2 }));

const encode = async (): Promise<readonly Uint8Array[]> => {
  const encoded = unwrap(
    await encodeFrames(openVideo(await openCodec(), SHAPE), drawColumn, SHAPE.frames, async () => {
      pauses += 1;
    }),
  );
  return encoded;
};

it("the index comes before the data, and the file has one track, which is video", async () => {
  const file = await writeMp4(await encode(), SHAPE);
  expect(boxesIn(file).map(({ name }) => name)).toEqual(["ftyp", "moov", "mdat"]);
  const moov = boxesIn(file).find(({ name }) => name === "moov");
  expect(boxesIn(moov?.body ?? file).filter(({ name }) => name === "trak")).toHaveLength(1);
  expect(boxAt(file, "moov/trak/mdia/hdlr").getUint32(8)).toBe(0x76696465); // "vide"
});

it("frames are H.264 constrained baseline, in their size and in limited-range BT.709", async () => {
  const file = await writeMp4(await encode(), SHAPE);
  const entry = boxAt(file, `${TABLES}/stsd/avc1`);
  expect([entry.getUint16(24), entry.getUint16(26)]).toEqual([SHAPE.width, SHAPE.height]);
  const config = boxAt(file, `${TABLES}/stsd/avc1/avcC`);
  expect([config.getUint8(1), config.getUint8(2) & 0x40]).toEqual([66, 0x40]);
  const colour = boxAt(file, `${TABLES}/stsd/avc1/colr`);
  expect(colour.getUint32(0)).toBe(0x6e636c78); // "nclx"
  expect([4, 6, 8].map((at) => colour.getUint16(at))).toEqual([1, 1, 1]);
  expect(colour.getUint8(10) & 0x80).toBe(0);
});

it("all frames have the same duration, and one frame per second is a key frame", async () => {
  const file = await writeMp4(await encode(), SHAPE);
  const times = boxAt(file, `${TABLES}/stts`);
  expect([times.getUint32(4), times.getUint32(8)]).toEqual([1, SHAPE.frames]);
  const ticksPerSecond = boxAt(file, "moov/trak/mdia/mdhd").getUint32(12);
  expect(ticksPerSecond / times.getUint32(12)).toBe(SHAPE.framesPerSecond);
  expect(boxAt(file, `${TABLES}/stsz`).getUint32(8)).toBe(SHAPE.frames);
  const keys = boxAt(file, `${TABLES}/stss`);
  expect([keys.getUint32(8), keys.getUint32(12)]).toEqual([1, 26]);
});

it("the same frames make the same file", async () => {
  expect(await writeMp4(await encode(), SHAPE)).toEqual(await writeMp4(await encode(), SHAPE));
});

it("filler pads a video to a network's minimum bytes, and changes nothing else", async () => {
  const bytesMin = 60_000;
  const frames = await encode();
  const filled = padFrames(frames, bytesMin);
  expect(filled.reduce((sum, { length }) => sum + length, 0)).toBeGreaterThanOrEqual(bytesMin);
  filled.forEach((frame, at) => {
    expect(frame.subarray(0, frames[at]?.length)).toEqual(frames[at]);
  });
  expect(boxAt(await writeMp4(filled, SHAPE), `${TABLES}/stsz`).getUint32(8)).toBe(SHAPE.frames);
});

it("encoding lets other work run every few frames", async () => {
  pauses = 0;
  await encode();
  expect(pauses).toBeGreaterThanOrEqual(SHAPE.frames / 5);
});

it("a video that takes too many bytes is aborted at the frame that exceeds them", async () => {
  const frames = await encode();
  const codec = await openCodec();
  const draw = vi.fn(drawColumn);
  const bytesMax = (frames[0]?.length ?? 0) + 1;
  const encoded = await encodeFrames(
    openVideo(codec, SHAPE),
    draw,
    SHAPE.frames,
    async () => undefined,
    bytesMax,
  );
  expect(encoded).toMatchObject({ ok: false, code: "BYTE_CAP_UNREACHABLE" });
  expect(draw).toHaveBeenCalledTimes(2);
  // The next stream of the same codec must be unaffected.
  const next = await encodeFrames(openVideo(codec, SHAPE), drawColumn, SHAPE.frames, async () => undefined);
  expect(next).toEqual({ ok: true, value: frames });
});
