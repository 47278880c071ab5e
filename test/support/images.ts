import { expect } from "vitest";
import { type SignedImage, signImageUrl } from "../../sdk/src/image-url.ts";

import { call } from "./workspace.ts";

/** Image URLs, signed as a customer's program signs them. */

const ORIGIN = "https://packs.example";

export type ImageWishes = Partial<Omit<SignedImage, "baseUrl" | "secret">>;

/** Creates an image secret. */
export async function newImageSecret(
  secret: string,
): Promise<{ readonly imageSecretId: string; readonly secret: string }> {
  const made = await call("POST", "/api/v1/image-secrets", { secret, body: { name: "Shop" } });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return made.body.data;
}

/** Path and query of an image URL, by default a small banner with a logo. */
export async function imagePath(secret: string, logo: string, wishes: ImageWishes = {}): Promise<string> {
  const parameters = { logo, ...wishes.parameters };
  const image = { sizeId: "iab-320x50", ...wishes, parameters };
  return (await signImageUrl({ ...image, baseUrl: ORIGIN, secret })).slice(ORIGIN.length);
}
