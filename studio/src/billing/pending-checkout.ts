/**
 * What this tab stored before it opened the payment page: the workspace's newest payment, empty for none. On return,
 * the page waits for a payment that is not this one.
 */
const keptAs = (workspaceId: string): string => `creative-packs.paying.${workspaceId}`;

export const savePendingCheckout = (workspaceId: string, paymentId: string | undefined): void =>
  sessionStorage.setItem(keptAs(workspaceId), paymentId ?? "");

export const clearPendingCheckout = (workspaceId: string): void =>
  sessionStorage.removeItem(keptAs(workspaceId));

/** The stored payment, empty for none; null if nothing was stored, as in another tab. */
export const readPendingCheckout = (workspaceId: string): string | null =>
  sessionStorage.getItem(keptAs(workspaceId));
