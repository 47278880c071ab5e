/** Bytes read from a stream at a time, at most. */
const CHUNK_BYTES = 256 * 1024;

/** Reads a body chunk by chunk. */
export interface ChunkReader {
  /** The next chunk, good until the one after it is read; null at the end. Throws when the body breaks off. */
  read(): Promise<Uint8Array | null>;
  cancel(): Promise<void>;
}

/**
 * Reads a body into one buffer, again and again. Without one a stream makes a new buffer for each chunk, and the collector
 * comes late: while a file of 23 MB passed through, 40 MB of an isolate's 128 were chunks that nobody held, and 110 MB
 * where eight came at once. A stream that is not one of bytes, as none of the platform's, gives chunks of its own.
 */
export function readChunks(body: ReadableStream<Uint8Array>): ChunkReader {
  const reader = byobReaderOf(body);
  if (reader === null) return ownChunks(body.getReader());
  let chunk = new Uint8Array(CHUNK_BYTES);
  return {
    async read() {
      const { value, done } = await reader.read(chunk);
      if (value === undefined || done) return null;
      chunk = new Uint8Array(value.buffer);
      return value;
    },
    cancel: () => reader.cancel(),
  };
}

function byobReaderOf(body: ReadableStream): ReadableStreamBYOBReader | null {
  try {
    return body.getReader({ mode: "byob" });
  } catch {
    return null;
  }
}

const ownChunks = (reader: ReadableStreamDefaultReader<Uint8Array>): ChunkReader => ({
  async read() {
    const { value, done } = await reader.read();
    return done ? null : value;
  },
  cancel: () => reader.cancel(),
});
