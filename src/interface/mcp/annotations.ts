/**
 * Hints of the protocol about a tool's effects. `openWorldHint` is false, because this service draws packs from the
 * workspace's own assets.
 */

export const READ_ONLY = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;

/** A tool that adds something; a repeated call with the same Idempotency-Key adds nothing. */
export const ADDS_ONCE = { ...READ_ONLY, readOnlyHint: false } as const;
