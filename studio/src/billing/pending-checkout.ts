/**
 * Storage key. Before the payment page opens, the id of the workspace's newest payment is stored, or an empty text if
 * there is none. On return, the page waits for a payment with another id.
 */
const keptAs = (workspaceId: string): string => `creative-packs.paying.${workspaceId}`;

export const savePendingCheckout = (workspaceId: string, paymentId: string | undefined): void =>
  sessionStorage.setItem(keptAs(workspaceId), paymentId ?? "");

export const clearPendingCheckout = (workspaceId: string): void =>
  sessionStorage.removeItem(keptAs(workspaceId));

/** The stored payment id; empty if there was no payment; null if this tab stored nothing. */
export const readPendingCheckout = (workspaceId: string): string | null =>
  sessionStorage.getItem(keptAs(workspaceId));
