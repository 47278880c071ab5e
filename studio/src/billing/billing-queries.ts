import { queryOptions } from "@tanstack/react-query";
import { callAccount } from "#api/account.ts";
import type { Operations } from "#api/generated/account-operations.ts";
import { pagedQuery } from "#api/paged-query.ts";
import { balanceQuery, queryClient } from "#api/queries.ts";

const billingKey = (workspaceId: string) => ["workspace", workspaceId, "billing"];

/** What can be bought, the plan, the automatic top-up. */
export const billingQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: [...billingKey(workspaceId), "state"],
    queryFn: ({ signal }) => callAccount("getBilling", { path: { workspaceId }, signal }),
  });

const PAGE = 20;

/** What was paid, newest first, page by page. */
export const paymentsQuery = (workspaceId: string) =>
  pagedQuery([...billingKey(workspaceId), "payments"], (after, signal) =>
    callAccount("listPayments", { path: { workspaceId }, query: { limit: PAGE, ...after }, signal }),
  );

/** The newest payment; null for none. */
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

/** Reads anew what a payment changes. */
export const refreshBilling = (workspaceId: string): Promise<unknown> =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: billingKey(workspaceId) }),
    queryClient.invalidateQueries({ queryKey: balanceQuery(workspaceId).queryKey }),
    queryClient.invalidateQueries({ queryKey: ["workspace", workspaceId, "ledger"] }),
  ]);

/** What the API tells of a workspace's billing. */
export type BillingState = Operations["getBilling"]["data"];
export type BillingOffer = BillingState["offers"][number];
export type BillingPlan = NonNullable<BillingState["plan"]>;
export type TopUp = NonNullable<BillingState["topUp"]>;
export type Payment = Operations["listPayments"]["data"]["items"][number];
