import type { Route } from "#interface/http/route.ts";
import { getContractRoute } from "../catalogue/get-contract.ts";
import { listContractsRoute } from "../catalogue/list-contracts.ts";

export const routes: readonly Route[] = [listContractsRoute, getContractRoute];
