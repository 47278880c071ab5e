import { hexOf } from "./digest.ts";
import { isServerRuntime } from "./environment.ts";
import { OPERATIONS, type Operations } from "./generated/operations.ts";
import type { RequestOptions, Settings } from "./options.ts";
import type { Given } from "./types.ts";
import { VERSION } from "./version.ts";

/** From an operation and what it is given to a request. */

export type OperationId = keyof Operations;

/** A body that is not JSON, made anew for each try. */
export interface BytesBody {
  readonly contentType: string;
  readonly make: () => Uint8Array<ArrayBuffer> | Blob | ReadableStream<Uint8Array<ArrayBuffer>>;
}

/** What an operation is given. */
export interface Call<Id extends OperationId = OperationId> {
  readonly operation: Id;
  /** Values of the parts of the path between braces. */
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Operations[Id]["query"] | undefined;
  readonly json?: Given<Operations[Id]["body"]> | undefined;
  readonly bytes?: BytesBody;
  /** The media types of the answer; JSON when absent. */
  readonly accept?: string;
  readonly options: RequestOptions;
}

/** Of what has no effect of its own beyond the first time. */
const REPEATABLE_POSTS: readonly OperationId[] = ["cancelJob", "quoteJob"];

/** Whether the call may be sent again although the first may have had its effect. */
export function isRepeatable(id: OperationId): boolean {
  const { method, takesIdempotencyKey } = OPERATIONS[id];
  return method !== "POST" || takesIdempotencyKey === true || REPEATABLE_POSTS.includes(id);
}

/** The path with its values, each encoded. Throws on one that is missing or would change the path. */
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

/** A name for one effect: random, in the form of a UUID where the platform makes those. */
export function newIdempotencyKey(): string {
  // Pages that are not served over TLS have no `randomUUID`.
  if (typeof crypto.randomUUID === "function") return crypto.randomUUID();
  return hexOf(crypto.getRandomValues(new Uint8Array(16)));
}

/** A request that is sent as it is in every try, so that its effect comes once. */
export interface PreparedRequest {
  readonly url: string;
  readonly init: () => RequestInit;
}

/** Whether a parameter of a path is the permission itself, as in links: sent without a key, and never logged. */
export const isPermission = (parameter: string): boolean => ["token", "signature"].includes(parameter);

/** The request of a call. The bookmark, where there is one, makes a read see what was written before. */
export function prepareRequest(call: Call, settings: Settings, bookmark: string | null): PreparedRequest {
  const { operation, json, bytes, accept = "application/json", options } = call;
  const { method, takesIdempotencyKey, takesBookmark } = OPERATIONS[operation];
  const headers = new Headers({ Accept: accept, ...settings.headers, ...options.headers });
  if (settings.apiKey !== null && !Object.keys(call.path ?? {}).some(isPermission)) {
    headers.set("Authorization", `Bearer ${settings.apiKey}`);
  }
  // A browser says itself what it is.
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
      // Needed wherever a stream is sent, and known to no types yet.
      const duplex = body instanceof ReadableStream ? { duplex: "half" } : {};
      return { method, headers, body, ...duplex };
    },
  };
}
