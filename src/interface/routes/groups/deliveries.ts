import type { Route } from "#interface/http/route.ts";
import {
  createDeliveryRoute,
  getDeliveryRoute,
  listDeliveriesRoute,
  retryDeliveryRoute,
} from "../deliveries/deliveries.ts";
import {
  enableDestinationRoute,
  listDestinationsRoute,
  removeDestinationRoute,
  rotateSigningSecretRoute,
  saveDestinationRoute,
  testDestinationRoute,
} from "../deliveries/destinations.ts";

export const routes: readonly Route[] = [
  ...[saveDestinationRoute, listDestinationsRoute, removeDestinationRoute],
  ...[enableDestinationRoute, testDestinationRoute, rotateSigningSecretRoute],
  ...[createDeliveryRoute, listDeliveriesRoute, getDeliveryRoute, retryDeliveryRoute],
];
