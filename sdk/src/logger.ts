import { ApiError } from "./errors.ts";
import { OPERATIONS } from "./generated/operations.ts";
import type { LogFields, LogLevel } from "./log-line.ts";
import type { Settings } from "./options.ts";
import { type Call, isPermission } from "./request.ts";

export const LOG_LEVELS: readonly LogLevel[] = ["debug", "info", "warn", "error", "off"];

/** The path without link tokens. Ids are encoded, so that they cannot inject log lines. */
const shownPath = ({ operation, path = {} }: Call): string =>
  OPERATIONS[operation].path.replace(/\{(\w+)\}/g, (part, name: string) =>
    isPermission(name) ? part : encodeURIComponent(path[name] ?? ""),
  );

/**
 * Code of the API error, or the error's name with the system code among its causes, such as `ECONNREFUSED`. Messages
 * are not logged, because they could contain a link.
 */
function codeOf(error: unknown): string {
  if (error instanceof ApiError) return error.code;
  if (!(error instanceof Error)) return "unknown";
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if ("code" in cause && typeof cause.code === "string" && /^[A-Z_]{3,40}$/.test(cause.code))
      return `${error.name} ${cause.code}`;
  }
  return error.name;
}

/** Logs the attempts of a call. */
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

  /** `retryInMs`: null if there is no retry. */
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
      // An exception of the logger must not affect the call.
    }
  }
}
