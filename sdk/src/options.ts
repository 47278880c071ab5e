import type { Logger, LogLevel } from "./log-line.ts";

/** The part of `fetch` that the client uses. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface ClientOptions {
  /** API key. Default: `CREATIVE_PACKS_API_KEY` of the environment. Null: no key. */
  readonly apiKey?: string | null | undefined;
  /** URL of the service, such as `https://packs.example`. Default: `CREATIVE_PACKS_BASE_URL` of the environment. */
  readonly baseUrl?: string | undefined;
  /** Retries per call after temporary failures. Default: 2. */
  readonly maxRetries?: number | undefined;
  /** Timeout of one attempt in milliseconds, including reading the response. Default: one minute. */
  readonly timeoutMs?: number | undefined;
  /**
   * Delays before retries in milliseconds, if the service does not specify any: `first`, doubled each time up to
   * `longest`.
   */
  readonly backoffMs?: Backoff | undefined;
  /**
   * Longest delay in milliseconds that the service may request. If it requests more, the call fails at once. Default:
   * 65,000.
   */
  readonly retryWaitMsMax?: number | undefined;
  /** Replaces the platform's `fetch`. */
  readonly fetch?: Fetch | undefined;
  /** Headers of every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Receives a line per attempt: method, path, status, duration, request id and the delay before a retry. Never a key,
   * a query, a body or a link. Default: `console` if a level is set.
   */
  readonly logger?: Logger | null | undefined;
  /** Minimum level. Default: `CREATIVE_PACKS_LOG` of the environment; `info` if there is a logger. */
  readonly logLevel?: LogLevel | undefined;
}

export interface Backoff {
  readonly first: number;
  readonly longest: number;
}

/** Options of a single call. */
export interface RequestOptions {
  /** Aborts the call and its waits with an `AbortedError`. */
  readonly signal?: AbortSignal | undefined;
  readonly maxRetries?: number | undefined;
  readonly timeoutMs?: number | undefined;
  /** Default: a new key per call. Calls with the same key take effect once. */
  readonly idempotencyKey?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Options with all defaults filled in, and the URL without a trailing slash. */
export type Settings = { readonly [Name in keyof ClientOptions]-?: Exclude<ClientOptions[Name], undefined> };
