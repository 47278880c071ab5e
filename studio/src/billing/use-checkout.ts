import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { callAccount } from "#api/account.ts";
import { queryClient } from "#api/queries.ts";
import { useWorkspaceId } from "#app/workspace.ts";
import { newestPaymentQuery } from "./billing-queries.ts";
import { savePendingCheckout } from "./pending-checkout.ts";

/** Opens the payment page for an offer. */
export function useCheckout() {
  const workspaceId = useWorkspaceId();
  // The key of the last attempt. A retry after a lost response sends the same key, so it starts no second purchase.
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
    savePendingCheckout(workspaceId, newest?.paymentId);
    return page;
  });
}

/**
 * Requests a payment page and opens it. The button stays busy while the browser leaves, and is enabled again if the
 * user comes back with the browser's back button.
 */
export function useLeave<Asked = void>(ask: (asked: Asked) => Promise<{ readonly url: string }>) {
  const leave = useMutation({
    mutationFn: ask,
    onSuccess: ({ url }) => location.assign(url),
  });
  const { reset } = leave;
  useEffect(() => {
    const onShow = ({ persisted }: PageTransitionEvent): void => {
      if (persisted) reset();
    };
    window.addEventListener("pageshow", onShow);
    return () => window.removeEventListener("pageshow", onShow);
  }, [reset]);
  return { leave, isLeaving: leave.isPending || leave.isSuccess };
}
