/**
 * Hints of the protocol about a tool's effects. The world is closed: packs are drawn by this service, from the
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
