import { useQuery } from "@tanstack/react-query";
import { useDraft } from "../draft/editor-store.ts";
import { contractQuery } from "./contract-queries.ts";

/** The set of sizes that the draft is of. */
export const useContract = () => useQuery(contractQuery(useDraft((draft) => draft.contractId)));
