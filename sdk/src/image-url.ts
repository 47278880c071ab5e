import { CreativePacksError } from "./errors.ts";
import type { CreateImageUrl, ImageParameters } from "./types.ts";

/** Signs image URLs locally with Web Crypto, without a request. */

/** An image, its signing secret and its service. */
export interface SignedImage {
  /** URL of the service, such as `https://packs.example`. */
  readonly baseUrl: string;
  /** The workspace's signing secret, `cps_…`. Never use it in a web page. */
  readonly secret: string;
  readonly sizeId: string;
  /** Default: `png`. */
  readonly outputFormat?: CreateImageUrl["outputFormat"];
  /** Content and design of the image; undefined members count as absent. */
  readonly parameters: ImageParameters;
  /** Expiry. Default: the URL is valid until its secret is revoked. */
  readonly expiresAt?: Date | undefined;
}

const PURPOSE = "creative-packs image url v1";
const SECRET = /^cps_([0-9a-f]{64,66})_[A-Za-z0-9_-]{43}$/;

const encoder = new TextEncoder();

/** RFC 3986: encodes everything except unreserved characters. */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/**
 * Returns the signed URL of an image. Identical images have identical URLs. The first request for it renders the image,
 * for one credit. Throws a `CreativePacksError` if the secret is malformed.
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
