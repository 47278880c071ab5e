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

/** Image URLs and the secrets that sign them. `signImageUrl` signs without a request. Scope: `images:write`. */
export class ImagesResource extends Resource {
  /** Validates an image and signs its URL. Nothing is rendered or charged until the URL is loaded. */
  createUrl(image: Given<CreateImageUrl>, options: RequestOptions = {}): ApiPromise<ImageUrl> {
    return this.transport.json({ operation: "createImageUrl", json: image, options });
  }

  /** Bytes of an image URL, fetched from the client's base URL without a key. Waits while the image is rendered. */
  load(url: string, options: RequestOptions = {}): ApiPromise<Uint8Array<ArrayBuffer>> {
    const { pathname, searchParams } = new URL(url);
    const [signature = "", file = ""] = pathname.split("/").slice(-2);
    const query = { key: "", ...Object.fromEntries(searchParams) };
    const path = { signature, file };
    return this.transport.bytes({ operation: "getImage", path, query, accept: "image/*", options });
  }

  /** Creates a signing secret. Only this response contains its value. */
  createSecret(
    secret: Given<CreateImageSecret>,
    options: RequestOptions = {},
  ): ApiPromise<CreatedImageSecret> {
    return this.transport.json({ operation: "createImageSecret", json: secret, options });
  }

  /** Lists the signing secrets of the workspace without their values, newest first. */
  listSecrets(options: RequestOptions = {}): ApiPromise<ImageSecretList> {
    return this.transport.json({ operation: "listImageSecrets", options });
  }

  /** Revokes a signing secret. Its URLs no longer render images. */
  revokeSecret(imageSecretId: string, options: RequestOptions = {}): ApiPromise<ImageSecret> {
    return this.transport.json({ operation: "revokeImageSecret", path: { imageSecretId }, options });
  }
}
