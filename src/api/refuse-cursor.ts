import { type Refusal, refuse } from "./errors.ts";

/** 400 INVALID_CURSOR: what a cursor sent as `before` must be instead. */
export const refuseCursor = (message: string): Refusal =>
  refuse("INVALID_CURSOR", `before: ${message}`, { issues: [{ in: "query", path: "before", message }] });
