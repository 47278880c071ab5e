/**
 * What this tab noted before it went to the payment provider's page: the workspace's newest payment, empty for none. Coming
 * back proves nothing: the page waits for a payment that was not there before.
 */
const keptAs = (workspaceId: string): string => `creative-packs.paying.${workspaceId}`;

export const savePendingCheckout = (workspaceId: string, paymentId: string | undefined): void =>
  sessionStorage.setItem(keptAs(workspaceId), paymentId ?? "");

export const clearPendingCheckout = (workspaceId: string): void =>
  sessionStorage.removeItem(keptAs(workspaceId));

/** The payment that was noted, empty for none; null where nothing was, as in another tab. */
export const readPendingCheckout = (workspaceId: string): string | null =>
  sessionStorage.getItem(keptAs(workspaceId));
