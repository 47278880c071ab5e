import { ApiError } from "creative-packs";
import { useSyncExternalStore } from "react";

/**
 * The secret behind the `#` of an emailed link, which browsers do not send. The router removes it from the address
 * before the page loads (`router.tsx`), so that no history, bookmark or screenshot has it. Kept in this module's memory
 * only: after a reload, the user opens the emailed link again.
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

/** Secret of the last opened link; empty if there is none. */
export const useLinkToken = (): string => useSyncExternalStore(listen, () => kept);

/** Whether the service rejected a link's secret as expired, used or incomplete. */
export const isLinkExpired = (error: unknown): boolean =>
  error instanceof ApiError && error.code === "LINK_INVALID";
