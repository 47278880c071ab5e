import { type SignedImage, signImageUrl } from "../../sdk/src/image-url.ts";

/** Image URLs of a workspace in tests, signed as a customer's program signs them. */

export const ORIGIN = "https://packs.example";

export type ImageWishes = Partial<Omit<SignedImage, "baseUrl" | "secret">>;

/** Path and query of an image URL: a small banner of a logo, unless more is said. */
export async function imagePath(secret: string, logo: string, wishes: ImageWishes = {}): Promise<string> {
  const parameters = { logo, ...wishes.parameters };
  const image = { sizeId: "iab-320x50", ...wishes, parameters };
  return (await signImageUrl({ ...image, baseUrl: ORIGIN, secret })).slice(ORIGIN.length);
}
