/** What tools do to the world, in the protocol's own four hints. A pack is drawn here, from what the workspace has. */

export const READ_ONLY = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;

/** Adds something; the same call again, with the same key, adds nothing. */
export const ADDS_ONCE = { ...READ_ONLY, readOnlyHint: false } as const;
