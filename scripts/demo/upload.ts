import { readFile } from "node:fs/promises";
import { request } from "node:http";
import { basename, extname } from "node:path";
import sharp from "sharp";
import type { AssetBody } from "../../src/api/schemas/asset.ts";
import type { UploadIntentBody } from "../../src/api/schemas/upload.ts";
import type { SlotId } from "../../src/api/slots.ts";
import { Failure } from "../local/failure.ts";
import { inRoot } from "../local/paths.ts";
import { type Client, refusalOf } from "./client.ts";
import { formatBytes } from "./figures.ts";
import { createProgressBar } from "./progress-bar.ts";

const TYPES: Readonly<Record<string, string>> = {
  ".jpg": "image/jpeg",
  ".otf": "font/otf",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".ttf": "font/ttf",
  ".webp": "image/webp",
};
const CHUNK_BYTES = 64 * 1024;

/** Upright width and height, which an intent names for every raster image. */
async function readSize(bytes: Uint8Array, mimeType: string): Promise<{ width?: number; height?: number }> {
  if (!/^image\/(jpeg|png|webp)$/.test(mimeType)) return {};
  const { autoOrient } = await sharp(bytes).metadata();
  return { width: autoOrient.width, height: autoOrient.height };
}

/** Sends the bytes as the intent asks and tells how many the connection has taken. */
async function sendBytes(
  client: Client,
  intent: UploadIntentBody,
  bytes: Uint8Array,
  onSent: (sent: number) => void,
): Promise<void> {
  const outgoing = request(intent.url, {
    method: intent.method,
    headers: { ...client.headers, ...intent.headers, "Content-Length": bytes.byteLength },
  });
  const answered = new Promise<{ status: number; text: string }>((resolve, reject) => {
    outgoing.on("error", reject);
    outgoing.on("response", (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => {
        text += part;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
    });
  });
  const sent = (async () => {
    for (let start = 0; start < bytes.byteLength; start += CHUNK_BYTES) {
      const end = Math.min(start + CHUNK_BYTES, bytes.byteLength);
      // The callback comes once the connection has taken the chunk.
      await new Promise((resolve) => outgoing.write(bytes.subarray(start, end), resolve));
      onSent(end);
    }
    outgoing.end();
  })();
  const [{ status, text }] = await Promise.all([answered, sent]);
  if (status !== 204) throw refusalOf(intent.method, new URL(intent.url).pathname, status, text);
}

/** Uploads a file of samples/ into a slot: intent, bytes, completion. Returns the id of the ready asset. */
export async function uploadSample(client: Client, slotId: SlotId, file: string): Promise<string> {
  const bytes = await readFile(inRoot(`samples/${file}`)).catch(() => null);
  if (bytes === null) throw new Failure(`samples/${file} is missing. It belongs to the clone.`);
  const mimeType = TYPES[extname(file)];
  if (mimeType === undefined) throw new Failure(`samples/${file} is of a type that the demo does not know.`);
  const intent = await client.post<UploadIntentBody>("/api/v1/assets/uploads", {
    slotId,
    fileName: basename(file),
    mimeType,
    byteLength: bytes.byteLength,
    ...(await readSize(bytes, mimeType)),
  });
  const bar = createProgressBar(`${slotId} ${basename(file)}`);
  const total = formatBytes(bytes.byteLength);
  await sendBytes(client, intent, bytes, (sent) =>
    bar.show(sent, bytes.byteLength, `${formatBytes(sent)} of ${total}`),
  );
  const asset = await client.post<AssetBody>(`/api/v1/assets/uploads/${intent.uploadId}/complete`, {
    assetId: intent.assetId,
    byteLength: bytes.byteLength,
  });
  if (asset.status !== "ready") throw new Failure(`The asset from samples/${file} is ${asset.status}.`);
  bar.end(`${total}, ready`);
  return asset.assetId;
}
