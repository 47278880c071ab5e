/**
 * Reads a body of known length into one buffer, which nobody else holds. `bytes()` and `arrayBuffer()` gather pieces
 * and then join them: for as long as that takes they hold the body twice, of an upload 50 MB of an isolate's 128.
 * A body that ends early gives what there was.
 */
export async function readWhole(body: ReadableStream, byteLength: number): Promise<Uint8Array<ArrayBuffer>> {
  if (byteLength === 0) {
    await body.cancel();
    return new Uint8Array(0);
  }
  const reader = body.getReader({ mode: "byob" });
  const { value } = await reader.readAtLeast(byteLength, new Uint8Array(byteLength));
  await reader.cancel();
  return value ?? new Uint8Array(0);
}
