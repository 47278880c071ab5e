import type { Route } from "#interface/http/route.ts";
import { receiveBillingEventRoute } from "../billing/receive-event.ts";
import { receiveMailReportRoute } from "../mail/receive-report.ts";

export const routes: readonly Route[] = [receiveBillingEventRoute, receiveMailReportRoute];
