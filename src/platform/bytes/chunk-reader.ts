const CHUNK_BYTES = 256 * 1024;

export interface ChunkReader {
  /** The next chunk, valid until the next read; null at the end. Throws if the body breaks off. */
  read(): Promise<Uint8Array | null>;
  cancel(): Promise<void>;
}

/**
 * Reads a body into one reused buffer. Otherwise a stream allocates a buffer per chunk, and garbage collection comes
 * late: a file of 23 MB left 40 MB of unused chunks in an isolate's 128 MB, and eight files at once left 110 MB. A
 * stream that is not a byte stream (none of the platform's) allocates its own chunks.
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
