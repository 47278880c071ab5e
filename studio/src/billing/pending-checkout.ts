/**
 * What this tab noted before it went to the payment provider's page. Coming back proves nothing: the page waits for a
 * payment that was not there before.
 */
const KEPT = "creative-packs.paying";

/** The newest payment before leaving, of a workspace. */
interface Left {
  readonly workspaceId: string;
  /** Null where there was none. */
  readonly paymentId: string | null;
}

export const savePendingCheckout = (left: Left): void => sessionStorage.setItem(KEPT, JSON.stringify(left));

export const clearPendingCheckout = (): void => sessionStorage.removeItem(KEPT);

/** What was noted for the workspace; undefined for nothing, as in another tab. */
export function readPendingCheckout(workspaceId: string): Left | undefined {
  const kept = sessionStorage.getItem(KEPT);
  if (kept === null) return undefined;
  const read: unknown = JSON.parse(kept);
  if (typeof read !== "object" || read === null || !("workspaceId" in read) || !("paymentId" in read)) {
    return undefined;
  }
  const { paymentId } = read;
  if (read.workspaceId !== workspaceId || (paymentId !== null && typeof paymentId !== "string")) {
    return undefined;
  }
  return { workspaceId, paymentId };
}
