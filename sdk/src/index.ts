/** The package's own names: the client, its errors, and the shapes of the API. */

export type { Answer, ApiPromise, RateLimit, RawAnswer } from "./api-promise.ts";
export { CreativePacks } from "./client.ts";
export type { ExpectedBytes } from "./digest.ts";
export {
  AbortedError,
  ApiError,
  type ApiErrorCode,
  AuthenticationError,
  ConflictError,
  ConnectionError,
  CreativePacksError,
  FileError,
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
export type { List, Page } from "./list.ts";
export type { Backoff, ClientOptions, Fetch, RequestOptions } from "./options.ts";
export type { BytesBody } from "./request.ts";
export type * from "./types.ts";
export { VERSION } from "./version.ts";
