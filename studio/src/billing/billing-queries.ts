import { queryOptions } from "@tanstack/react-query";
import { callAccount } from "#api/account.ts";
import type { Operations } from "#api/generated/account-operations.ts";
import { pagedQuery } from "#api/paged-query.ts";
import { balanceQuery, queryClient } from "#api/queries.ts";

const billingKey = (workspaceId: string) => ["workspace", workspaceId, "billing"];

/** Offers, plan and automatic top-up. */
export const billingQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: [...billingKey(workspaceId), "state"],
    queryFn: ({ signal }) => callAccount("getBilling", { path: { workspaceId }, signal }),
  });

const PAGE = 20;

/** Payments, newest first, paginated. */
export const paymentsQuery = (workspaceId: string) =>
  pagedQuery([...billingKey(workspaceId), "payments"], (after, signal) =>
    callAccount("listPayments", { path: { workspaceId }, query: { limit: PAGE, ...after }, signal }),
  );

/** The newest payment; null if there is none. */
export const newestPaymentQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: [...billingKey(workspaceId), "newest-payment"],
    queryFn: async ({ signal }) => {
      const { items } = await callAccount("listPayments", {
        path: { workspaceId },
        query: { limit: 1 },
        signal,
      });
      return items[0] ?? null;
    },
  });

/** Refetches the data that a payment changes. */
export const refreshBilling = (workspaceId: string): Promise<unknown> =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: billingKey(workspaceId) }),
    queryClient.invalidateQueries({ queryKey: balanceQuery(workspaceId).queryKey }),
    queryClient.invalidateQueries({ queryKey: ["workspace", workspaceId, "ledger"] }),
  ]);

/** Billing data of a workspace, as the API returns it. */
export type BillingState = Operations["getBilling"]["data"];
export type BillingOffer = BillingState["offers"][number];
export type BillingPlan = NonNullable<BillingState["plan"]>;
export type TopUp = NonNullable<BillingState["topUp"]>;
export type Payment = Operations["listPayments"]["data"]["items"][number];
