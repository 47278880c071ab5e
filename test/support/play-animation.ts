import sharp from "sharp";
import { PNG_SIGNATURE, pngChunk } from "./png-file.ts";

interface Chunk {
  readonly type: string;
  readonly body: Buffer;
}

/** Decodes an APNG with the reference library: each frame as a separate still, drawn over the previous one. */
async function playApng(bytes: Uint8Array): Promise<{
  readonly loops: number;
  readonly delaysMs: readonly number[];
  readonly frames: readonly Buffer[];
}> {
  const chunks = readChunks(Buffer.from(bytes));
  const bodyOf = (type: string): Buffer =>
    chunks.find((chunk) => chunk.type === type)?.body ?? Buffer.alloc(0);
  const header = bodyOf("IHDR");
  const width = header.readUInt32BE(0);
  const height = header.readUInt32BE(4);
  const shared = chunks.filter(({ type }) => type === "PLTE" || type === "tRNS");
  let canvas = Buffer.alloc(width * height * 4);
  const frames: Buffer[] = [];
  const delaysMs: number[] = [];
  for (const [index, { type, body }] of chunks.entries()) {
    if (type !== "fcTL") continue;
    const next = chunks[index + 1];
    if (next === undefined) throw new Error("a frame without pixels");
    const pixels = next.type === "fdAT" ? next.body.subarray(4) : next.body;
    const partHeader = Buffer.from(header);
    body.copy(partHeader, 0, 4, 12);
    const still = writeChunks([
      { type: "IHDR", body: partHeader },
      ...shared,
      { type: "IDAT", body: pixels },
      { type: "IEND", body: Buffer.alloc(0) },
    ]);
    canvas = await sharp(canvas, { raw: { width, height, channels: 4 } })
      .composite([{ input: still, left: body.readUInt32BE(12), top: body.readUInt32BE(16) }])
      .raw()
      .toBuffer();
    frames.push(canvas);
    delaysMs.push((body.readUInt16BE(20) * 1000) / body.readUInt16BE(22));
  }
  if (bodyOf("acTL").readUInt32BE(0) !== frames.length)
    throw new Error("acTL counts other frames than there are");
  return { loops: bodyOf("acTL").readUInt32BE(4), delaysMs, frames };
}

function readChunks(bytes: Buffer): readonly Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = 8; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    chunks.push({
      type: bytes.toString("latin1", at + 4, at + 8),
      body: bytes.subarray(at + 8, at + 8 + length),
    });
    at += length + 12;
  }
  return chunks;
}

const writeChunks = (chunks: readonly Chunk[]): Buffer =>
  Buffer.concat([PNG_SIGNATURE, ...chunks.map(({ type, body }) => pngChunk(type, body))]);
/** Frames as displayed, in RGBA, with the file's timing and loop count. */
export async function playAnimation(bytes: Uint8Array, format: "gif" | "webp" | "apng") {
  if (format === "apng") return playApng(bytes);
  const { loop = 0, delay = [], pages = 1 } = await sharp(bytes, { pages: -1 }).metadata();
  const all = await sharp(bytes, { pages: -1 }).ensureAlpha().raw().toBuffer();
  const size = all.length / pages;
  const frames = Array.from({ length: pages }, (_, page) => all.subarray(page * size, (page + 1) * size));
  return { loops: loop, delaysMs: delay, frames };
}
