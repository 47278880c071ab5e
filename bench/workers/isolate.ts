import { SIZES } from "#catalogue/sizes.ts";
import { validateContent } from "#domains/assets/content-rules.ts";
import { largestFirst } from "#domains/jobs/plan-design.ts";
import { asStream, sha256HexOfChunks } from "#platform/bytes/chunked-bytes.ts";
import { readAll } from "#platform/bytes/read-all.ts";
import { sha256Hex } from "#platform/crypto/hashing.ts";
import { getRenderer } from "#platform/render-engine.ts";
import { freeBytes } from "#renderer/buffers.ts";
import type { AssetSource, ImageType, RenditionStore } from "#renderer/index.ts";
import type { CompletionTask, IsolateAnswer, IsolateTask } from "./tasks.ts";

/**
 * Does the work of an isolate for a queue message or the completion of an upload, without simulators in its process.
 * Files are fetched from a store in another process when the renderer needs them. Renditions and outputs are uploaded
 * to this store.
 */

async function fetchWhole(url: string): Promise<Uint8Array> {
  const { body, headers } = await fetch(url);
  if (body === null) throw new Error(`nothing at ${url}`);
  const bytes = await readAll(body, Number(headers.get("content-length")));
  return bytes;
}

/** Reads a file and computes its hash, as a queue message does. */
async function fetchHashed(url: string): Promise<Uint8Array> {
  const bytes = await fetchWhole(url);
  await sha256Hex(bytes);
  return bytes;
}

async function put(url: string, bytes: Uint8Array): Promise<void> {
  const headers = { "x-sha256": await sha256Hex(bytes) };
  const { ok } = await fetch(url, { method: "PUT", headers, body: bytes });
  if (!ok) throw new Error(`${url} was not taken`);
}

const renditionsAt = (url: string): RenditionStore => ({
  find: async () => null,
  keep: async (name, bytes) => {
    await sha256HexOfChunks(bytes);
    await asStream(bytes, (body) => fetch(`${url}/renditions/${name}`, { method: "PUT", body }));
  },
});

const assetAt = (url: string, mimeType: ImageType): AssetSource => ({
  mimeType,
  load: async () => ({ ok: true, value: await fetchHashed(url) }),
  renditions: renditionsAt(url),
});

/** The service's `completeUpload`: checks content and hash, and stores renditions of images that are slow to decode. */
async function completeUpload({ origin, picture }: CompletionTask): Promise<IsolateAnswer> {
  const { name, mimeType, width, height } = picture;
  const url = `${origin}/${name}`;
  const bytes = await fetchWhole(url);
  const content = validateContent({ slotId: "media", mimeType, width, height }, bytes);
  if (!content.ok) throw new Error(content.rejection.message);
  await sha256Hex(bytes);
  await getRenderer().keepRenditions("media", { bytes, mimeType }, { width, height }, renditionsAt(url));
  freeBytes(bytes);
  return { files: 1 };
}

/** Same pause as in `render-part.ts`. */
const PAUSE_MS = 1;

async function drawPack(task: IsolateTask): Promise<IsolateAnswer> {
  const { origin, media, logo, copy, sizeIds, motion, format } = task;
  const sizes = SIZES.filter(({ sizeId }) => sizeIds.includes(sizeId));
  const renderer = getRenderer();
  const assets = {
    media: assetAt(`${origin}/${media.name}`, media.mimeType),
    logo: assetAt(`${origin}/${logo.name}`, logo.mimeType),
  };
  const pack = await renderer.prepare({ assets, font: null, copy, brand: {} });
  if (!pack.ok) throw new Error(pack.message);
  let files = 0;
  for (const size of largestFirst(sizes)) {
    const pause = () => scheduler.wait(PAUSE_MS);
    const output = await renderer.render(pack.value, { size, motion, format, pause });
    if (!output.ok) throw new Error(`${size.sizeId}: ${output.message}`);
    for (const file of output.value.files) {
      await put(`${origin}/outputs/${size.sizeId}.${file.extension}`, file.bytes);
      files += 1;
    }
  }
  pack.value.close();
  return { files };
}

export default {
  async fetch(request) {
    const isCompletion = new URL(request.url).pathname === "/completion";
    const answer = isCompletion
      ? await completeUpload(await request.json())
      : await drawPack(await request.json());
    return Response.json(answer);
  },
} satisfies ExportedHandler;
