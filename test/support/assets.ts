import { exports } from "cloudflare:workers";
import { expect } from "vitest";
import type { z } from "zod";
import { assetSchema } from "#api/schemas/asset.ts";
import { errorEnvelope, successEnvelope } from "#api/schemas/envelope.ts";
import { type UploadIntentBody, uploadIntentSchema } from "#api/schemas/upload.ts";

/** The upload flow through the public routes, in workerd. */

const ORIGIN = "https://packs.example";

export interface AssetFile {
  readonly slotId: string;
  readonly fileName: string;
  readonly mimeType: string;
  readonly bytes: Uint8Array;
  readonly width?: number;
  readonly height?: number;
}

/** A request with an API key, to a path of this service or an absolute URL. */
export function send(
  secret: string,
  method: string,
  target: string,
  init: { headers?: Record<string, string>; body?: BodyInit | null } = {},
): Promise<Response> {
  return exports.default.fetch(
    new Request(new URL(target, ORIGIN), {
      method,
      headers: { Authorization: `Bearer ${secret}`, ...init.headers },
      body: init.body ?? null,
    }),
  );
}

export const post = (
  secret: string,
  path: string,
  body: unknown,
  idempotencyKey: string = crypto.randomUUID(),
): Promise<Response> =>
  send(secret, "POST", path, {
    headers: { "Content-Type": "application/json", "Idempotency-Key": idempotencyKey },
    body: JSON.stringify(body),
  });

/** The resource in a response; fails the test for another status or an invalid body. */
export async function resourceOf<T extends z.ZodType>(
  response: Response,
  status: number,
  schema: T,
): Promise<z.infer<T>> {
  const text = await response.text();
  expect(response.status, text).toBe(status);
  expect(response.headers.get("X-RateLimit-Remaining")).toMatch(/^\d+$/);
  const body: { readonly data?: unknown } = JSON.parse(text);
  successEnvelope(schema).parse(body);
  return schema.parse(body.data);
}

/** The error in a response; fails the test for another status or an invalid envelope. */
export async function errorOf(response: Response, status: number) {
  const text = await response.text();
  expect(response.status, text).toBe(status);
  const { error } = errorEnvelope.parse(JSON.parse(text));
  expect(error.httpStatus).toBe(status);
  return error;
}

export const intentOf = ({ bytes, ...declared }: AssetFile) => ({
  ...declared,
  byteLength: bytes.byteLength,
});

export async function createIntent(secret: string, file: AssetFile): Promise<UploadIntentBody> {
  return resourceOf(await post(secret, "/api/v1/assets/uploads", intentOf(file)), 201, uploadIntentSchema);
}

/** Uploads bytes as an intent describes. */
export const sendBytes = (
  secret: string,
  intent: UploadIntentBody,
  body: BodyInit | null,
  headers: Record<string, string> = {},
): Promise<Response> =>
  send(secret, intent.method, intent.url, { headers: { ...intent.headers, ...headers }, body });

export const complete = (
  secret: string,
  intent: UploadIntentBody,
  byteLength: number = intent.maxBytes,
  idempotencyKey?: string,
): Promise<Response> =>
  post(
    secret,
    `/api/v1/assets/uploads/${intent.uploadId}/complete`,
    { assetId: intent.assetId, byteLength },
    idempotencyKey,
  );

/** Uploads a file and returns the ready asset's id. */
export async function uploadAsset(secret: string, file: AssetFile): Promise<string> {
  const intent = await createIntent(secret, file);
  expect((await sendBytes(secret, intent, file.bytes)).status).toBe(204);
  const asset = await resourceOf(await complete(secret, intent), 200, assetSchema);
  expect(asset.status).toBe("ready");
  return asset.assetId;
}
