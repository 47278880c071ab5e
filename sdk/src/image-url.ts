import { CreativePacksError } from "./errors.ts";
import type { CreateImageUrl, ImageParameters } from "./types.ts";

/** Signs image URLs where the program runs: no request, and nothing but Web Crypto. */

/** An image, and the secret and service that its URL is for. */
export interface SignedImage {
  /** Where the service is, as `https://packs.example`. */
  readonly baseUrl: string;
  /** The `cps_…` that the workspace's signing secret was created with. Never in a page. */
  readonly secret: string;
  readonly sizeId: string;
  /** `png` when absent. */
  readonly outputFormat?: CreateImageUrl["outputFormat"];
  /** What the image is drawn from; undefined members count as absent. */
  readonly parameters: ImageParameters;
  /** When the URL expires; without it the URL is valid as long as the secret. */
  readonly expiresAt?: Date | undefined;
}

const PURPOSE = "creative-packs image url v1";
const SECRET = /^cps_([0-9a-f]{64,66})_[A-Za-z0-9_-]{43}$/;

const encoder = new TextEncoder();

/** RFC 3986: everything but unreserved characters is encoded. */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/**
 * The signed URL of an image. Equal images have equal URLs. The first one to load it has the image drawn, for one credit.
 * Throws a `CreativePacksError` for a text that is no signing secret.
 *
 * @example
 * ```ts
 * import { signImageUrl } from "creative-packs";
 *
 * const url = await signImageUrl({
 *   baseUrl: "https://packs.example",
 *   secret: process.env.CREATIVE_PACKS_IMAGE_SECRET ?? "",
 *   sizeId: "iab-300x250",
 *   parameters: { headline: "Two wheels, no excuses" },
 * });
 * ```
 */
export async function signImageUrl(image: SignedImage): Promise<string> {
  const { baseUrl, secret, sizeId, outputFormat = "png", parameters, expiresAt } = image;
  const key = SECRET.exec(secret)?.[1];
  if (key === undefined) {
    throw new CreativePacksError(
      "The secret signs no image URLs: give the `cps_…` that it was created with.",
    );
  }
  const exp = expiresAt === undefined ? {} : { exp: String(Math.floor(expiresAt.getTime() / 1_000)) };
  const query = Object.entries({ ...parameters, key, ...exp })
    .flatMap(([name, value]) => (value === undefined ? [] : [`${encode(name)}=${encode(value)}`]))
    .sort()
    .join("&");
  const file = `${sizeId}.${outputFormat}`;
  const hmac = { name: "HMAC", hash: "SHA-256" };
  const imported = await crypto.subtle.importKey("raw", encoder.encode(secret), hmac, false, ["sign"]);
  const signed = await crypto.subtle.sign("HMAC", imported, encoder.encode(`${PURPOSE}\n${file}\n${query}`));
  const signature = btoa(String.fromCharCode(...new Uint8Array(signed)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace("=", "");
  return `${baseUrl.replace(/\/+$/, "")}/i/${signature}/${file}?${query}`;
}
