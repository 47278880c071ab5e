import { FileError } from "../errors.ts";
import type { LoadedFile } from "../node/local-files.ts";

/** An uploadable source: a path (Node.js, Bun and Deno), a `Blob` or `File`, bytes, or a stream of bytes. */
export type UploadSource = string | Blob | Uint8Array | ArrayBuffer | ReadableStream<Uint8Array>;

/** The API's maximum length of a file in bytes. Larger files are not read into memory. */
export const UPLOAD_BYTES_MAX = 26_214_400;

const tooLarge = (what: string): FileError =>
  new FileError(
    `${what} is larger than ${UPLOAD_BYTES_MAX} bytes, the most that an upload may have. Make it smaller.`,
  );

/** Reads a source completely. Throws a `FileError` if it is empty, too large or unreadable. */
export async function loadFile(source: UploadSource): Promise<LoadedFile> {
  const file = await read(source);
  if (file.bytes.byteLength === 0)
    throw new FileError(`${file.name ?? "The file"} is empty. Give a file with bytes.`);
  if (file.bytes.byteLength > UPLOAD_BYTES_MAX) throw tooLarge(file.name ?? "The file");
  return file;
}

async function read(source: UploadSource): Promise<LoadedFile> {
  if (typeof source === "string") {
    const { readLocalFile } = await import("../node/files.ts");
    return readLocalFile(source, UPLOAD_BYTES_MAX, tooLarge);
  }
  if (source instanceof Uint8Array) return { name: null, bytes: ownBytes(source) };
  if (source instanceof ArrayBuffer) return { name: null, bytes: new Uint8Array(source) };
  if (source instanceof ReadableStream) return { name: null, bytes: await readStream(source) };
  const name = "name" in source && typeof source.name === "string" ? source.name : null;
  if (source.size > UPLOAD_BYTES_MAX) throw tooLarge(name ?? "The file");
  return { name, bytes: new Uint8Array(await source.arrayBuffer()) };
}

/** Copies bytes from shared memory, because they could change during the upload. */
const ownBytes = (bytes: Uint8Array): Uint8Array<ArrayBuffer> =>
  bytes.buffer instanceof ArrayBuffer
    ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    : new Uint8Array(bytes);

async function readStream(stream: ReadableStream<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.byteLength;
    chunks.push(value);
    if (length <= UPLOAD_BYTES_MAX) continue;
    await reader.cancel();
    throw tooLarge("The stream");
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}
