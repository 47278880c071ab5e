import type { CallCounts } from "../workers/waiting-bindings.ts";

/** One request and what it took: until the last byte of its answer, and its calls on bindings until then. */
export interface FarAnswer {
  readonly ms: number;
  readonly calls: Readonly<CallCounts>;
  readonly bytes: Uint8Array;
  readonly headers: Headers;
}

export interface FarRequest {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Path and query, or the whole address of a link. */
  readonly path: string;
  /** The answer that counts; any other ends the case. */
  readonly status: number;
  readonly secret?: string;
  readonly cookie?: string;
  /** Sent as JSON; bytes as they are, with `contentType`. */
  readonly body?: object;
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends requests by hand, one at a time: a client library would be measured with them. */
export type FarClient = (request: FarRequest) => Promise<FarAnswer>;

/** A client of bench/workers/far.ts. */
export const openFarClient =
  (origin: string): FarClient =>
  async ({ method, path, status, secret, cookie, body, contentType, headers: given }) => {
    const id = crypto.randomUUID();
    const address = new URL(path, origin);
    const headers = new Headers({ ...given, "Bench-Request": id, "Idempotency-Key": id, Origin: origin });
    if (secret !== undefined) headers.set("Authorization", `Bearer ${secret}`);
    if (cookie !== undefined) headers.set("Cookie", cookie);
    if (body !== undefined) headers.set("Content-Type", contentType ?? "application/json");
    const sent =
      body === undefined ? null : body instanceof Uint8Array ? Uint8Array.from(body) : JSON.stringify(body);
    const startedMs = performance.now();
    const response = await fetch(`${origin}${address.pathname}${address.search}`, {
      method,
      headers,
      body: sent,
    });
    const bytes = new Uint8Array(await response.arrayBuffer());
    const ms = performance.now() - startedMs;
    if (response.status !== status) {
      throw new Error(
        `${method} ${address.pathname} answered ${response.status}: ${new TextDecoder().decode(bytes)}`,
      );
    }
    const calls: FarAnswer["calls"] = JSON.parse(await (await fetch(`${origin}/bench/calls/${id}`)).text());
    return { ms, calls, bytes, headers: response.headers };
  };

/** What an answer of the API holds. */
export const dataOf = ({ bytes }: FarAnswer) => JSON.parse(new TextDecoder().decode(bytes)).data;
