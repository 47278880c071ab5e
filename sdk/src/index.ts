/** Exports of the package: the client, its errors, and the types of the API. */

export type { Answer, ApiPromise, RateLimit, RawAnswer } from "./api-promise.ts";
export { CreativePacks } from "./client.ts";
export type { ExpectedBytes } from "./digest.ts";
export {
  AbortedError,
  ApiError,
  type ApiErrorCode,
  AssetRejectedError,
  AuthenticationError,
  ConflictError,
  ConnectionError,
  CreativePacksError,
  FileError,
  ImportTimeoutError,
  InsufficientCreditsError,
  NotFoundError,
  PackFailedError,
  PermissionError,
  RateLimitError,
  SaveError,
  ServerError,
  SignatureError,
  TimeoutError,
  ValidationError,
} from "./errors.ts";
export type { ImportOptions, ImportProgress } from "./files/import.ts";
export type { UploadSource } from "./files/source.ts";
export type { UploadOptions, UploadProgress } from "./files/upload.ts";
export { type SignedImage, signImageUrl } from "./image-url.ts";
export type { List, Page } from "./list.ts";
export type { LogFields, Logger, LogLevel } from "./log-line.ts";
export type { Backoff, ClientOptions, Fetch, RequestOptions } from "./options.ts";
export type { DownloadOptions, DownloadProgress, PackWriter, SavedFile } from "./packs/download-pack.ts";
export type { Pack, PackProgress, WaitOptions } from "./packs/pack.ts";
export type { CreatePack } from "./packs/packs.ts";
export type { BytesBody } from "./request.ts";
export type * from "./types.ts";
export { VERSION } from "./version.ts";
export { type MessageHeaders, type UnwrapOptions, webhooks } from "./webhooks.ts";
