/** What takes a client's lines: `console` does, and so do pino and winston. */
export interface Logger {
  readonly debug: (message: string, fields: LogFields) => void;
  readonly info: (message: string, fields: LogFields) => void;
  readonly warn: (message: string, fields: LogFields) => void;
  readonly error: (message: string, fields: LogFields) => void;
}

/** The least level that is logged: refusals and retries are `warn`, other failures `error`, answers `info`, starts `debug`. */
export type LogLevel = "debug" | "info" | "warn" | "error" | "off";

/** One try of a call. Has no key, query, body or link. */
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
