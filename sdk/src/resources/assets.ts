import type { ApiPromise } from "../api-promise.ts";
import { findDownloadFault } from "../digest.ts";
import { type ImportOptions, importFrom } from "../files/import.ts";
import type { UploadSource } from "../files/source.ts";
import { type FindAsset, type UploadOptions, uploadFile } from "../files/upload.ts";
import type { Operations } from "../generated/operations.ts";
import { List } from "../list.ts";
import type { RequestOptions } from "../options.ts";
import { Resource, type Transport } from "../transport.ts";
import type { Asset, Given, ImportAsset } from "../types.ts";
import type { UploadsResource } from "./uploads.ts";

/** Images, logos and fonts of the workspace. */
export class AssetsResource extends Resource {
  readonly #uploads: UploadsResource;

  constructor(transport: Transport, uploads: UploadsResource) {
    super(transport);
    this.#uploads = uploads;
  }

  /** Lists assets that are not deleted, newest first. Scope: `assets:read`. */
  list(query: Operations["listAssets"]["query"] = {}, options: RequestOptions = {}): List<Asset> {
    return new List((before = query.before) =>
      this.transport.json({ operation: "listAssets", query: { ...query, before }, options }),
    );
  }

  /**
   * Uploads a file: detects its type and size, sends its bytes, waits for the check, and returns the ready asset. A
   * file that the slot already has is found by its SHA-256 and not sent again. Throws a `FileError` if no slot accepts
   * the file, and a `ValidationError` if the service rejects it. Scopes: `assets:write`, `assets:read`.
   *
   * @example
   * ```ts
   * const photo = await client.assets.upload("beach.jpg", { slot: "media" });
   * const logo = await client.assets.upload(new Blob([svg]), { slot: "logo", name: "logo.svg" });
   * ```
   */
  upload(file: UploadSource, options: UploadOptions): Promise<Asset> {
    const find: FindAsset = async (slotId, sha256, rest) => {
      const { items } = await this.list({ slotId, sha256, status: "ready", limit: 1 }, rest).firstPage();
      return items[0] ?? null;
    };
    return uploadFile(this.#uploads, find, file, options);
  }

  /** Bytes of a ready asset as uploaded; damaged bytes are requested again. Scope: `assets:read`. */
  content(assetId: string, options: RequestOptions = {}): ApiPromise<Uint8Array<ArrayBuffer>> {
    return this.transport.bytes(
      { operation: "getAssetContent", path: { assetId }, accept: "*/*", options },
      (bytes, headers) => findDownloadFault(bytes, headers, {}),
    );
  }

  /** Starts the import of a file from an `https` URL; `importFrom` also waits for it. Scope: `assets:write`. */
  import(request: Given<ImportAsset>, options: RequestOptions = {}): ApiPromise<Asset> {
    return this.transport.json({ operation: "importAsset", json: request, options });
  }

  /**
   * Imports a file from an `https` URL and waits until it is checked. Throws an `AssetRejectedError` if it cannot be
   * fetched or is rejected. Scopes: `assets:write`, `assets:read`.
   *
   * @example
   * ```ts
   * const photo = await client.assets.importFrom("https://images.example.com/beach.jpg", { slot: "media" });
   * ```
   */
  importFrom(url: string, options: ImportOptions): Promise<Asset> {
    return importFrom(this, url, options);
  }

  /** Reads an asset. Scope: `assets:read`. */
  get(assetId: string, options: RequestOptions = {}): ApiPromise<Asset> {
    return this.transport.json({ operation: "getAsset", path: { assetId }, options });
  }

  /** Deletes an asset and returns it. Finished packs stay. Scope: `assets:write`. */
  delete(assetId: string, options: RequestOptions = {}): ApiPromise<Asset> {
    return this.transport.json({ operation: "deleteAsset", path: { assetId }, options });
  }
}
