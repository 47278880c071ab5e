import { useTranslation } from "react-i18next";

/** Names a set of sizes in the person's language; one that has no such name, by `otherwise`. */
export function useContractName(): (contractId: string, otherwise: string) => string {
  const { t } = useTranslation("editor");
  return (contractId, otherwise) => t(`sizes.contracts.${contractId}` as never, { defaultValue: otherwise });
}
