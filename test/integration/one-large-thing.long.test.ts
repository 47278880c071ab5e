import { env } from "cloudflare:workers";
import { beforeAll, expect, it, vi } from "vitest";
import { newId } from "#platform/ids.ts";
import inter from "../../src/renderer/fonts/inter-medium.ttf";
import { complete, createIntent, sendBytes, uploadAsset } from "../support/assets.ts";
import { selectValue } from "../support/database.ts";
import { type Client, packOf, postJob, workspaceWithLogo } from "../support/jobs.ts";
import { codeOf, detailsOf, refusalOf } from "../support/refusals.ts";

/**
 * On every route, an isolate has at most one large stored object in memory. A font is opened once, and its missing
 * characters are cached.
 */

const REQUESTS = 12;
const FONTS = 4;
/** Files of at least this size count as large. */
const LARGE_BYTES = 4 * 1_048_576;

let client: Client;
beforeAll(async () => {
  client = await workspaceWithLogo();
});
/** Inter with trailing bytes, which parsers ignore: a large font with a unique hash. */
function largeFont(mark: number): Uint8Array {
  const bytes = new Uint8Array(LARGE_BYTES + mark);
  bytes.set(new Uint8Array(inter));
  return bytes;
}

const fontFile = (mark: number) => ({
  slotId: "font",
  fileName: `inter-${mark}.ttf`,
  mimeType: "font/ttf",
  bytes: largeFont(mark),
});

/**
 * Counts the bytes of large objects: those read in total, and the maximum in memory at once. An object counts until it
 * has been hashed, because every reader hashes the whole object.
 */
function watchReads() {
  const counts = { readBytes: 0, heldBytesMost: 0 };
  let heldBytes = 0;
  const get = env.BUCKET.get.bind(env.BUCKET);
  vi.spyOn(env.BUCKET, "get").mockImplementation(async (key: string) => {
    const object = await get(key);
    if (object !== null && object.size >= LARGE_BYTES) {
      counts.readBytes += object.size;
      heldBytes += object.size;
      counts.heldBytesMost = Math.max(counts.heldBytesMost, heldBytes);
    }
    return object;
  });
  const digest = crypto.subtle.digest.bind(crypto.subtle);
  vi.spyOn(crypto.subtle, "digest").mockImplementation(async (algorithm, data) => {
    const sum = await digest(algorithm, data);
    if (data.byteLength >= LARGE_BYTES) heldBytes -= data.byteLength;
    return sum;
  });
  return counts;
}

const lacking = (fontId: string) =>
  postJob(
    client.secret,
    packOf(client, { assetIds: { logo: client.logoId, font: fontId }, copy: { cta: "ក" } }),
  );

it(`${REQUESTS} concurrent jobs with one incomplete font read it once`, async () => {
  const fontId = await uploadAsset(client.secret, fontFile(1));
  const counts = watchReads();
  const answers = await Promise.all(Array.from({ length: REQUESTS }, () => lacking(fontId)));
  for (const answer of answers) {
    expect([answer.status, detailsOf(answer).characters]).toEqual([422, ["ក"]]);
  }
  expect(counts.readBytes).toBe(LARGE_BYTES + 1);
  await lacking(fontId);
  expect(counts.readBytes).toBe(LARGE_BYTES + 1);
});

it("API §8.9 concurrent jobs and uploads with large files keep one file in memory at a time", async () => {
  const fontIds: string[] = [];
  for (let mark = 2; mark < 2 + FONTS; mark += 1) {
    fontIds.push(await uploadAsset(client.secret, fontFile(mark)));
  }
  const files = [10, 11].map(fontFile);
  const intents = await Promise.all(files.map((file) => createIntent(client.secret, file)));
  for (const [index, intent] of intents.entries()) {
    await sendBytes(client.secret, intent, files[index]?.bytes ?? null);
  }
  const counts = watchReads();
  const [refused, completed] = await Promise.all([
    Promise.all(fontIds.map(lacking)),
    Promise.all(intents.map((intent) => complete(client.secret, intent))),
  ]);
  expect(refused.map(codeOf)).toEqual(fontIds.map(() => "COPY_UNSUPPORTED"));
  expect(completed.map(({ status }) => status)).toEqual([200, 200]);
  expect(counts.readBytes).toBeGreaterThan((FONTS + 2) * LARGE_BYTES);
  expect(counts.heldBytesMost).toBeLessThan(2 * LARGE_BYTES);
});

it("a font altered in storage is refused, and nothing about it is cached", async () => {
  const fontId = await uploadAsset(client.secret, fontFile(20));
  const key = await selectValue<string>`SELECT object_key FROM assets WHERE asset_id = ${fontId}`;
  await env.BUCKET.put(key ?? newId(), largeFont(21));
  const answer = await lacking(fontId);
  expect(refusalOf(answer)).toEqual([422, "COPY_UNSUPPORTED"]);
  expect(detailsOf(answer).characters).toEqual([]);
});
