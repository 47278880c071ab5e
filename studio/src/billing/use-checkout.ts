import { useRef } from "react";
import { callAccount } from "#api/account.ts";
import { queryClient } from "#api/queries.ts";
import { useWorkspaceId } from "#app/workspace.ts";
import { newestPaymentQuery } from "./billing-queries.ts";
import { noteLeft } from "./left-for-payment.ts";
import { useLeave } from "./use-leave.ts";

/** Opens the payment provider's page for an offer. */
export function useCheckout() {
  const workspaceId = useWorkspaceId();
  // Asked for again because no answer came, the same purchase is meant.
  const asked = useRef<{ readonly offerId: string; readonly idempotencyKey: string } | null>(null);
  return useLeave(async (offerId: string) => {
    if (asked.current?.offerId !== offerId) asked.current = { offerId, idempotencyKey: crypto.randomUUID() };
    const { idempotencyKey } = asked.current;
    const newest = await queryClient.fetchQuery({ ...newestPaymentQuery(workspaceId), staleTime: 0 });
    const page = await callAccount("createCheckout", {
      path: { workspaceId },
      json: { offerId },
      idempotencyKey,
    });
    asked.current = null;
    noteLeft({ workspaceId, paymentId: newest?.paymentId ?? null });
    return page;
  });
}
