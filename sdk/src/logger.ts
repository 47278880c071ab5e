import { ApiError } from "./errors.ts";
import { OPERATIONS } from "./generated/operations.ts";
import type { Settings } from "./options.ts";
import type { Call } from "./request.ts";

/** What takes a client's lines: `console` does, and so do pino and winston. */
export interface Logger {
  readonly debug: (message: string, fields: LogFields) => void;
  readonly info: (message: string, fields: LogFields) => void;
  readonly warn: (message: string, fields: LogFields) => void;
  readonly error: (message: string, fields: LogFields) => void;
}

/** The least level that is logged: refusals and retries are `warn`, other failures `error`, answers `info`, starts `debug`. */
export type LogLevel = "debug" | "info" | "warn" | "error" | "off";

/** One try of a call. Holds no key, query, body or link. */
export interface LogFields {
  readonly method: string;
  /** With ids and without tokens and query. */
  readonly path: string;
  /** Which try this is, from 1. */
  readonly attempt: number;
  readonly status?: number;
  readonly durationMs?: number;
  readonly requestId?: string | null;
  /** The API's code, or the name of the error. */
  readonly error?: string;
  /** Milliseconds until the call is sent again. */
  readonly retryInMs?: number;
}

export const LOG_LEVELS: readonly LogLevel[] = ["debug", "info", "warn", "error", "off"];

/** A link's token is its permission. Ids are written as they are sent, but without what could begin another line. */
const shownPath = ({ operation, path = {} }: Call): string =>
  OPERATIONS[operation].path.replace(/\{(\w+)\}/g, (part, name: string) =>
    name === "token" ? part : encodeURIComponent(path[name] ?? ""),
  );

/** The code of a system's error, as `ECONNREFUSED`, wherever it is among the causes. Messages could quote a link. */
function codeOf(error: unknown): string {
  if (error instanceof ApiError) return error.code;
  if (!(error instanceof Error)) return "unknown";
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if ("code" in cause && typeof cause.code === "string" && /^[A-Z_]{3,40}$/.test(cause.code))
      return `${error.name} ${cause.code}`;
  }
  return error.name;
}

/** Logs the tries of a call. A logger that throws disturbs no call. */
export class CallLog {
  readonly #settings: Settings;
  readonly #fields: Pick<LogFields, "method" | "path">;
  #attempt = 0;
  #startedAtMs = 0;

  constructor(settings: Settings, call: Call) {
    this.#settings = settings;
    this.#fields = { method: OPERATIONS[call.operation].method, path: shownPath(call) };
  }

  started(): void {
    this.#attempt += 1;
    this.#startedAtMs = Date.now();
    this.#write("debug", "sent", {});
  }

  succeeded({ status, headers }: Response): void {
    this.#write("info", `${status}`, { status, requestId: headers.get("X-Request-ID"), ...this.#duration() });
  }

  /** `retryInMs`: null where the call ends with this. */
  failed(error: unknown, retryInMs: number | null): void {
    const answer = error instanceof ApiError ? { status: error.status, requestId: error.requestId } : {};
    const fields = { ...answer, error: codeOf(error), ...this.#duration() };
    const what = error instanceof ApiError ? `${error.status} ${fields.error}` : fields.error;
    const isRefusal = error instanceof ApiError && error.status < 500;
    if (retryInMs === null) this.#write(isRefusal ? "warn" : "error", what, fields);
    else {
      const waitMs = Math.round(retryInMs);
      this.#write("warn", `${what}, sent again in ${waitMs} ms`, { ...fields, retryInMs: waitMs });
    }
  }

  #duration = (): Pick<LogFields, "durationMs"> => ({ durationMs: Date.now() - this.#startedAtMs });

  #write(level: Exclude<LogLevel, "off">, what: string, more: Partial<LogFields>): void {
    const { logger, logLevel } = this.#settings;
    if (logger === null || LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf(logLevel)) return;
    const fields = { ...this.#fields, attempt: this.#attempt, ...more };
    const { method, path, durationMs, requestId } = fields;
    const took = durationMs === undefined ? "" : ` after ${durationMs} ms`;
    const trace = requestId == null ? "" : ` (${requestId})`;
    const tries = this.#attempt === 1 ? "" : `, try ${this.#attempt}`;
    try {
      logger[level](`${method} ${path}: ${what}${took}${tries}${trace}`, fields);
    } catch {
      // Its own fault: the call has had its effect.
    }
  }
}
