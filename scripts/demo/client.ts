import { randomUUID } from "node:crypto";
import { Failure } from "../local/failure.ts";

/** The members of an answer that the demo reads; schema/openapi.json describes the whole. */
interface Envelope<T> {
  readonly ok: boolean;
  readonly data: T;
  readonly error?: {
    readonly code: string;
    readonly message: string;
    readonly requestId: string;
    readonly details?: { readonly nextAction?: string };
  };
}

export interface Client {
  readonly origin: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly get: <T>(path: string) => Promise<T>;
  /** Sends JSON with a fresh Idempotency-Key. */
  readonly post: <T>(path: string, body: unknown) => Promise<T>;
  /** Bytes of a file; a path of this origin with the key, or a signed link without it. */
  readonly download: (address: string) => Promise<Uint8Array>;
}

const REQUEST_MS_MAX = 60_000;

/** Says which request was refused, why, and what the service advises. */
export function refusalOf(method: string, path: string, status: number, text: string): Failure {
  const shown = path.split("?")[0];
  let error: Envelope<unknown>["error"];
  try {
    error = (JSON.parse(text) as Envelope<unknown>).error;
  } catch {
    error = undefined;
  }
  if (!error) return new Failure(`${method} ${shown} answered ${status} without an error envelope.`);
  const advice = error.details?.nextAction ?? "";
  return new Failure(
    `${method} ${shown} was refused with ${status} ${error.code}: ${error.message} ${advice} (request ${error.requestId})`,
  );
}

/** As `fetch`; a connection that breaks or stays silent becomes a failure that names the request. */
async function ask(method: string, address: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(address, { ...init, method, signal: AbortSignal.timeout(REQUEST_MS_MAX) });
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    throw new Failure(`${method} ${new URL(address).pathname} got no answer: ${reason}.`);
  }
}

/** Speaks to the service with an API key. Whatever is not a success becomes a failure. */
export function createClient(origin: string, secret: string): Client {
  const headers = { Authorization: `Bearer ${secret}` };
  const read = async <T>(method: string, path: string, init: RequestInit): Promise<T> => {
    const response = await ask(method, `${origin}${path}`, init);
    const text = await response.text();
    if (!response.ok) throw refusalOf(method, path, response.status, text);
    return (JSON.parse(text) as Envelope<T>).data;
  };
  return {
    origin,
    headers,
    get: (path) => read("GET", path, { headers }),
    post: (path, body) =>
      read("POST", path, {
        headers: { ...headers, "Content-Type": "application/json", "Idempotency-Key": randomUUID() },
        body: JSON.stringify(body),
      }),
    download: async (address) => {
      const isOwnPath = address.startsWith("/");
      const target = isOwnPath ? `${origin}${address}` : address;
      const response = await ask("GET", target, isOwnPath ? { headers } : {});
      if (!response.ok) {
        throw refusalOf("GET", new URL(target).pathname, response.status, await response.text());
      }
      return new Uint8Array(await response.arrayBuffer());
    },
  };
}
