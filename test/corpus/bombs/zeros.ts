const CHUNK_BYTES = 1_048_576;

/** A zlib stream (RFC 1950) of so many megabytes of zeros, made without holding them. */
export async function deflatedZeros(megabytes: number): Promise<Uint8Array> {
  let left = megabytes;
  const zeros = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      if (left === 0) return controller.close();
      left -= 1;
      controller.enqueue(new Uint8Array(CHUNK_BYTES));
    },
  });
  const deflated = zeros.pipeThrough(new CompressionStream("deflate"));
  return new Uint8Array(await new Response(deflated).arrayBuffer());
}
