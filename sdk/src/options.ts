import type { Logger, LogLevel } from "./log-line.ts";

/** What a client, and each of its calls, can be told. */

/** The part of the platform's `fetch` that the client uses. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface ClientOptions {
  /** The API key. `CREATIVE_PACKS_API_KEY` of the environment when absent; null calls without a key. */
  readonly apiKey?: string | null | undefined;
  /** The service's address, as `https://packs.example`. `CREATIVE_PACKS_BASE_URL` of the environment when absent. */
  readonly baseUrl?: string | undefined;
  /** How often a call is sent again after a failure that may pass. Two when absent. */
  readonly maxRetries?: number | undefined;
  /** Milliseconds that one try may take, its answer included. A minute when absent. */
  readonly timeoutMs?: number | undefined;
  /** Waits between tries, where the service names none: the first, doubled each time up to the longest. */
  readonly backoffMs?: Backoff | undefined;
  /** Milliseconds of a wait that the service asks for. A call that would have to wait longer fails at once. 65 s when absent. */
  readonly retryWaitMsMax?: number | undefined;
  /** Used instead of the platform's `fetch`. */
  readonly fetch?: Fetch | undefined;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Takes a line for each try: method, path, status, duration, request id and the wait before the next. Never a key, a
   * query, a body or a link. `console` when a level is set and no logger.
   */
  readonly logger?: Logger | null | undefined;
  /** The least level that is logged. `CREATIVE_PACKS_LOG` of the environment when absent, else `info` with a logger. */
  readonly logLevel?: LogLevel | undefined;
}

export interface Backoff {
  readonly first: number;
  readonly longest: number;
}

/** What a single call can be told. */
export interface RequestOptions {
  /** Ends the call, its waits included, with an `AbortedError`. */
  readonly signal?: AbortSignal | undefined;
  readonly maxRetries?: number | undefined;
  readonly timeoutMs?: number | undefined;
  /** Made for each call when absent. The same key has its effect once, however often it is sent. */
  readonly idempotencyKey?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** The options of a client with every default filled in, and the address without a slash at the end. */
export type Settings = { readonly [Name in keyof ClientOptions]-?: Exclude<ClientOptions[Name], undefined> };
