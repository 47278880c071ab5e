import { ApiError } from "creative-packs";
import { useSyncExternalStore } from "react";

/**
 * The secret behind the `#` of a mail's link, which browsers send to no server. The router takes it out of the address
 * before it loads the page (`router.tsx`), so that no history, bookmark or picture of the screen keeps it. It stays in this
 * module's memory alone: who loads the page anew opens the mail's link again.
 */
let kept = "";
const listeners = new Set<() => void>();

export function keepLinkToken(token: string): void {
  kept = token;
  for (const listener of listeners) listener();
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The secret of the link that was opened last; empty for none. */
export const useLinkToken = (): string => useSyncExternalStore(listen, () => kept);

/** Whether the service did not take a link's secret: it has expired, was used, or is not whole. */
export const isLinkExpired = (error: unknown): boolean =>
  error instanceof ApiError && error.code === "LINK_INVALID";
