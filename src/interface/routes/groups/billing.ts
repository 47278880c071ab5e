import type { Route } from "#interface/http/route.ts";
import { getBillingRoute, listPaymentsRoute, setNoticesRoute } from "../billing/billing.ts";
import { createCheckoutRoute } from "../billing/create-checkout.ts";
import { openPortalRoute, removeTopUpRoute, setTopUpRoute } from "../billing/manage.ts";

export const routes: readonly Route[] = [
  ...[getBillingRoute, createCheckoutRoute, setNoticesRoute, listPaymentsRoute],
  ...[openPortalRoute, setTopUpRoute, removeTopUpRoute],
];
