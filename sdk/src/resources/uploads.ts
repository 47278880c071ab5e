import type { ApiPromise } from "../api-promise.ts";
import type { RequestOptions } from "../options.ts";
import type { BytesBody } from "../request.ts";
import { Resource } from "../transport.ts";
import type { Asset, CompleteUpload, CreateUpload, Given, UploadIntent } from "../types.ts";

/** Enough for 25 MB on a slow connection, and shorter than the lifetime of an upload. */
const BYTES_TIMEOUT_MS = 600_000;

/** The three steps of an upload. `client.assets.upload` does all of them. */
export class UploadsResource extends Resource {
  /** Creates an upload intent for a file and a slot. Scope: `assets:write`. */
  create(intent: Given<CreateUpload>, options: RequestOptions = {}): ApiPromise<UploadIntent> {
    return this.transport.json({ operation: "createUpload", json: intent, options });
  }

  /** Sends the bytes of an upload. They can be sent again until it is completed. Scope: `assets:write`. */
  putObject(uploadId: string, bytes: BytesBody, options: RequestOptions = {}): ApiPromise<undefined> {
    return this.transport.empty({
      operation: "putUploadObject",
      path: { uploadId },
      bytes,
      options: { timeoutMs: BYTES_TIMEOUT_MS, ...options },
    });
  }

  /** Like `putObject`, but sends to the URL of the intent. Scope: `assets:write`. */
  proxyObject(uploadId: string, bytes: BytesBody, options: RequestOptions = {}): ApiPromise<undefined> {
    return this.transport.empty({
      operation: "proxyUploadObject",
      query: { uploadId },
      bytes,
      options: { timeoutMs: BYTES_TIMEOUT_MS, ...options },
    });
  }

  /** Completes an upload: verifies the bytes and returns the ready asset. Scope: `assets:write`. */
  complete(uploadId: string, upload: Given<CompleteUpload>, options: RequestOptions = {}): ApiPromise<Asset> {
    return this.transport.json({ operation: "completeUpload", path: { uploadId }, json: upload, options });
  }
}
