import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { callAccount } from "#api/account.ts";
import { queryClient } from "#api/queries.ts";
import { useWorkspaceId } from "#app/workspace.ts";
import { newestPaymentQuery } from "./billing-queries.ts";
import { savePendingCheckout } from "./pending-checkout.ts";

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
    savePendingCheckout(workspaceId, newest?.paymentId);
    return page;
  });
}

/**
 * Asks for a page of the payment provider and goes there. The button stays busy while the browser leaves; where the person
 * comes back by the browser's own button, to the page as it was, it can be pressed again.
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
