/** A logger, such as `console`, pino or winston. */
export interface Logger {
  readonly debug: (message: string, fields: LogFields) => void;
  readonly info: (message: string, fields: LogFields) => void;
  readonly warn: (message: string, fields: LogFields) => void;
  readonly error: (message: string, fields: LogFields) => void;
}

/** Minimum level: API errors and retries are `warn`, other failures `error`, responses `info`, starts `debug`. */
export type LogLevel = "debug" | "info" | "warn" | "error" | "off";

/** One attempt of a call. Contains no key, query, body or link. */
export interface LogFields {
  readonly method: string;
  /** Contains ids, but no tokens and no query. */
  readonly path: string;
  /** Number of this attempt, from 1. */
  readonly attempt: number;
  readonly status?: number;
  readonly durationMs?: number;
  readonly requestId?: string | null;
  /** The API's code, or the name of the error. */
  readonly error?: string;
  /** Milliseconds until the retry. */
  readonly retryInMs?: number;
}
