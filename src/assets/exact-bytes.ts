/** How a body ended against the length that was promised. */
export type BodyEnd = "exact" | "too-few" | "too-many";

/**
 * Streams a body into the bucket, which keeps it only when it has exactly `byteLength` bytes.
 * Holds one chunk at a time. Throws when the bucket fails.
 */
export async function storeExactly(
  bucket: R2Bucket,
  objectKey: string,
  body: ReadableStream<Uint8Array> | null,
  byteLength: number,
  contentType: string,
): Promise<BodyEnd> {
  if (body === null) return "too-few";
  const { readable, writable } = new FixedLengthStream(byteLength);
  const writer = writable.getWriter();
  const [end, stored] = await Promise.allSettled([
    pump(body.getReader(), writer, byteLength),
    bucket.put(objectKey, readable, { httpMetadata: { contentType } }).catch(async (thrown: unknown) => {
      // Nobody reads on: without this the pump would wait for ever.
      await writer.abort(thrown).catch(() => undefined);
      throw thrown;
    }),
  ]);
  if (end.status === "fulfilled" && end.value !== "exact") return end.value;
  if (stored.status === "rejected") throw stored.reason;
  if (end.status === "rejected") throw end.reason;
  return "exact";
}

/** Carries the body across and breaks the far side off as soon as the length cannot be met. */
async function pump(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  writer: WritableStreamDefaultWriter<Uint8Array>,
  byteLength: number,
): Promise<BodyEnd> {
  const breakOff = async (end: BodyEnd): Promise<BodyEnd> => {
    await Promise.allSettled([reader.cancel(), writer.abort(new Error(end))]);
    return end;
  };
  let receivedBytes = 0;
  for (;;) {
    // A sender that breaks off reads as an error here: fewer bytes than promised.
    const next = await reader.read().catch(() => null);
    if (next === null) return breakOff("too-few");
    if (next.done) break;
    receivedBytes += next.value.byteLength;
    if (receivedBytes > byteLength) return breakOff("too-many");
    await writer.write(next.value);
  }
  if (receivedBytes < byteLength) return breakOff("too-few");
  await writer.close();
  return "exact";
}
