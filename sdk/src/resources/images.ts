import type { ApiPromise } from "../api-promise.ts";
import type { RequestOptions } from "../options.ts";
import { Resource } from "../transport.ts";
import type {
  CreatedImageSecret,
  CreateImageSecret,
  CreateImageUrl,
  Given,
  ImageSecret,
  ImageSecretList,
  ImageUrl,
} from "../types.ts";

/** Image URLs, and the secrets that sign them. `signImageUrl` signs without a request. Scope: `images:write`. */
export class ImagesResource extends Resource {
  /** Checks an image and signs its URL. Nothing is drawn or charged before the URL is loaded. */
  createUrl(image: Given<CreateImageUrl>, options: RequestOptions = {}): ApiPromise<ImageUrl> {
    return this.transport.json({ operation: "createImageUrl", json: image, options });
  }

  /** The bytes of an image URL, at the client's own address. Waits while the image is drawn. No key is sent. */
  load(url: string, options: RequestOptions = {}): ApiPromise<Uint8Array<ArrayBuffer>> {
    const { pathname, searchParams } = new URL(url);
    const [signature = "", file = ""] = pathname.split("/").slice(-2);
    const query = { key: "", ...Object.fromEntries(searchParams) };
    const path = { signature, file };
    return this.transport.bytes({ operation: "getImage", path, query, accept: "image/*", options });
  }

  /** A new signing secret. Only this answer has its text. */
  createSecret(
    secret: Given<CreateImageSecret>,
    options: RequestOptions = {},
  ): ApiPromise<CreatedImageSecret> {
    return this.transport.json({ operation: "createImageSecret", json: secret, options });
  }

  /** The workspace's signing secrets without their texts, newest first. */
  listSecrets(options: RequestOptions = {}): ApiPromise<ImageSecretList> {
    return this.transport.json({ operation: "listImageSecrets", options });
  }

  /** Revokes a signing secret: its URLs have nothing drawn from that moment on. */
  revokeSecret(imageSecretId: string, options: RequestOptions = {}): ApiPromise<ImageSecret> {
    return this.transport.json({ operation: "revokeImageSecret", path: { imageSecretId }, options });
  }
}
