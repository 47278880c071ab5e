import { queryOptions } from "@tanstack/react-query";
import { openClient } from "#api/client.ts";

/** Sets of sizes. A released one does not change, so each is read once. */
export const contractsQuery = queryOptions({
  queryKey: ["contracts"],
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
  queryFn: ({ signal }) => openClient.contracts.list({ signal }).firstPage(),
});

export const contractQuery = (contractId: string) =>
  queryOptions({
    queryKey: ["contract", contractId],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => openClient.contracts.get(contractId, { signal }),
  });
