import { hexOf } from "./digest.ts";
import { isServerRuntime } from "./environment.ts";
import { OPERATIONS, type Operations } from "./generated/operations.ts";
import type { RequestOptions, Settings } from "./options.ts";
import type { Given } from "./types.ts";
import { VERSION } from "./version.ts";

export type OperationId = keyof Operations;

/** A body that is not JSON. `make` creates it for each attempt. */
export interface BytesBody {
  readonly contentType: string;
  readonly make: () => Uint8Array<ArrayBuffer> | Blob | ReadableStream<Uint8Array<ArrayBuffer>>;
}

/** Arguments of an operation. */
export interface Call<Id extends OperationId = OperationId> {
  readonly operation: Id;
  /** Values of path parameters. */
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Operations[Id]["query"] | undefined;
  readonly json?: Given<Operations[Id]["body"]> | undefined;
  readonly bytes?: BytesBody;
  /** Accepted media types of the response. Default: JSON. */
  readonly accept?: string;
  readonly options: RequestOptions;
}

/** POST operations that are safe to retry without an idempotency key. */
const REPEATABLE_POSTS: readonly OperationId[] = ["cancelJob", "quoteJob"];

/** Whether a retry is safe even if the first attempt took effect. */
export function isRepeatable(id: OperationId): boolean {
  const { method, takesIdempotencyKey } = OPERATIONS[id];
  return method !== "POST" || takesIdempotencyKey === true || REPEATABLE_POSTS.includes(id);
}

/** The path with encoded values. Throws if a value is missing, or is `.` or `..`. */
function fillPath(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined || value === "" || /^\.{1,2}$/.test(value)) {
      throw new TypeError(`\`${name}\` must be an id, not \`${value}\`.`);
    }
    return encodeURIComponent(value);
  });
}

function addressOf({ operation, path = {}, query = {} }: Call, baseUrl: string): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries<string | number | undefined>(query)) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  const search = parameters.size > 0 ? `?${parameters}` : "";
  return `${baseUrl}${fillPath(OPERATIONS[operation].path, path)}${search}`;
}

/** An idempotency key: random, and a UUID if the platform can generate one. */
export function newIdempotencyKey(): string {
  // Pages without TLS have no `randomUUID`.
  if (typeof crypto.randomUUID === "function") return crypto.randomUUID();
  return hexOf(crypto.getRandomValues(new Uint8Array(16)));
}

/** A request that stays the same in every attempt, so that it takes effect once. */
export interface PreparedRequest {
  readonly url: string;
  readonly init: () => RequestInit;
}

/**
 * Whether a path parameter is a token that grants access, as in links. Such a call is sent without a key, and the token
 * is never logged.
 */
export const isPermission = (parameter: string): boolean => ["token", "signature"].includes(parameter);

/** Builds the request of a call. `bookmark`: reads are at least as recent as this database version. */
export function prepareRequest(call: Call, settings: Settings, bookmark: string | null): PreparedRequest {
  const { operation, json, bytes, accept = "application/json", options } = call;
  const { method, takesIdempotencyKey, takesBookmark } = OPERATIONS[operation];
  const headers = new Headers({ Accept: accept, ...settings.headers, ...options.headers });
  if (settings.apiKey !== null && !Object.keys(call.path ?? {}).some(isPermission)) {
    headers.set("Authorization", `Bearer ${settings.apiKey}`);
  }
  // Browsers set their own User-Agent.
  if (isServerRuntime() && !headers.has("User-Agent")) headers.set("User-Agent", `creative-packs/${VERSION}`);
  if (takesIdempotencyKey) headers.set("Idempotency-Key", options.idempotencyKey ?? newIdempotencyKey());
  if (takesBookmark && bookmark !== null) headers.set("X-D1-Bookmark", bookmark);
  if (json !== undefined) headers.set("Content-Type", "application/json");
  if (bytes !== undefined) headers.set("Content-Type", bytes.contentType);
  const text = json === undefined ? null : JSON.stringify(json);
  return {
    url: addressOf(call, settings.baseUrl),
    init: () => {
      const body = bytes === undefined ? text : bytes.make();
      // Required for a stream body, but missing from the types.
      const duplex = body instanceof ReadableStream ? { duplex: "half" } : {};
      return { method, headers, body, ...duplex };
    },
  };
}
