import { queryOptions, useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { openClient } from "#api/client.ts";
import { fetchOrRestore } from "#api/stored-answers.ts";
import { useDraft } from "../draft/editor-store.ts";

/** A contract. Released contracts never change, so each is fetched once. */
export const contractQuery = (contractId: string) =>
  queryOptions({
    queryKey: ["contract", contractId],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) =>
      fetchOrRestore(`contract.${contractId}`, () => openClient.contracts.get(contractId, { signal })),
  });

/** The draft's contract. */
export const useContract = () => useQuery(contractQuery(useDraft((draft) => draft.contractId)));

/** Returns the name of a contract in the user's language; its id if the contract is unknown. */
export function useContractName(): (contractId: string) => string {
  const { t } = useTranslation("editor");
  return (contractId) => t(`sizes.contracts.${contractId}` as never, { defaultValue: contractId });
}
