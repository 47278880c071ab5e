/**
 * Reads a body that is refused, and keeps nothing of it: without this a sender who sends all before he listens hears that
 * the connection broke, and not why (RFC 9112 §9.6). Holds one chunk at a time, and breaks off after `bytesMax`. Does
 * nothing where someone else reads it. Throws when the connection ends.
 */
export async function discardBody(body: ReadableStream<Uint8Array> | null, bytesMax: number): Promise<void> {
  if (body === null || body.locked) return;
  const reader = body.getReader();
  let bytes = 0;
  while (bytes < bytesMax) {
    const next = await reader.read();
    if (next.done) return;
    bytes += next.value.byteLength;
  }
  await reader.cancel();
}
