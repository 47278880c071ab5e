import type { Operations } from "#api/generated/account-operations.ts";

/** What the API tells of a workspace's billing. */
export type BillingState = Operations["getBilling"]["data"];
export type BillingOffer = BillingState["offers"][number];
export type BillingPlan = NonNullable<BillingState["plan"]>;
export type TopUp = NonNullable<BillingState["topUp"]>;
export type Payment = Operations["listPayments"]["data"]["items"][number];
