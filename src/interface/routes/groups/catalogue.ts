import type { Route } from "#interface/http/route.ts";
import { getContractRoute, listContractsRoute } from "../catalogue/contracts.ts";

export const routes: readonly Route[] = [listContractsRoute, getContractRoute];
