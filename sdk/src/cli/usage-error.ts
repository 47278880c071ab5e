import { CreativePacksError } from "../index.ts";

/** The command line, its settings or a file is invalid. The message says what to change. */
export class UsageError extends CreativePacksError {}

/** Returns the message of a `UsageError`, so that mistakes can be collected. Rethrows other errors. */
export function mistakesOf(error: unknown): readonly string[] {
  if (error instanceof UsageError) return [error.message];
  throw error;
}

/** Throws all mistakes as one error, if there are any. */
export function throwMistakes(mistakes: readonly string[], title: string | null = null): void {
  if (mistakes.length === 0) return;
  throw new UsageError(title === null ? mistakes.join("\n") : [title, ...mistakes].join("\n  "));
}
