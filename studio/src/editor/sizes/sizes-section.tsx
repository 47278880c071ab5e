import { useQuery } from "@tanstack/react-query";
import type { Contract, ContractSummary } from "creative-packs";
import { useTranslation } from "react-i18next";
import { queryClient } from "#api/queries.ts";
import { Button } from "#ui/button.tsx";
import { ErrorNote } from "#ui/form.tsx";
import { Loading } from "#ui/page.tsx";
import { Select } from "#ui/select.tsx";
import { groupSizes } from "#ui/size-tiles.tsx";
import { tellError } from "#ui/toast.ts";
import { useDraft, useEdit } from "../draft/editor-store.ts";
import { chooseSizes } from "../draft/edits.ts";
import { Section } from "../section.tsx";
import { changeContract, sizesIn } from "./change-contract.ts";
import { contractQuery, contractsQuery, useContract, useContractName } from "./contract-queries.ts";
import { MotionFields } from "./motion-fields.tsx";
import { SizeGroupField } from "./size-group.tsx";
import { useSizeNames } from "./size-names.ts";

interface SizesSectionProps {
  readonly onAdjust: (sizeId: string) => void;
}

/** Which sizes the pack has, in which motion and format, and what that costs. */
export function SizesSection({ onAdjust }: SizesSectionProps) {
  const { t } = useTranslation("editor");
  const contract = useContract();
  return (
    <Section
      panel="sizes"
      title={t("sizes.title")}
      aside={contract.data && <Count contract={contract.data} />}
    >
      <ContractSelect />
      {contract.isPending && <Loading />}
      <ErrorNote error={contract.error} />
      {contract.data && <Choose contract={contract.data} onAdjust={onAdjust} />}
    </Section>
  );
}

function Count({ contract: { prices } }: { readonly contract: Contract }) {
  const { t } = useTranslation("editor");
  const count = useDraft((draft) => draft.sizeIds.length);
  const motion = useDraft((draft) => draft.motion);
  return (
    <p aria-live="polite" className="text-sm text-quiet tabular-nums">
      {t("sizes.chosen", { count })} · {t("sizes.credits", { count: count * prices[motion] })}
    </p>
  );
}

function ContractSelect() {
  const { t } = useTranslation("editor");
  const contractName = useContractName();
  const contractId = useDraft((draft) => draft.contractId);
  const { data } = useQuery(contractsQuery);
  const edit = useEdit();
  const change = async (chosen: string): Promise<void> => {
    try {
      const contract = await queryClient.ensureQueryData(contractQuery(chosen));
      edit((draft) => changeContract(draft, contract));
    } catch (error) {
      tellError(error);
    }
  };
  if (data === undefined) return null;
  return (
    <Select
      label={t("sizes.contract")}
      value={contractId}
      options={data.items
        .filter((one, at, all) => one.contractId === contractId || isNewest(one, all.slice(0, at)))
        .map((one) => ({ value: one.contractId, text: contractName(one.contractId, one.title) }))}
      onChange={(chosen) => void change(chosen)}
    />
  );
}

/** Whether no version of a contract is newer; the catalogue lists new ones first. */
const isNewest = ({ contractId }: ContractSummary, before: readonly ContractSummary[]): boolean =>
  before.every((other) => unversioned(other.contractId) !== unversioned(contractId));

const unversioned = (contractId: string): string => contractId.replace(/\.v\d+$/, "");

function Choose({ contract, onAdjust }: { readonly contract: Contract } & SizesSectionProps) {
  const { t } = useTranslation("editor");
  const edit = useEdit();
  const { groupName } = useSizeNames();
  const format = useDraft((draft) => draft.outputFormat);
  const sizes = sizesIn(contract, format);
  const takers = new Set(sizes.map(({ group }) => group));
  const others = new Set(contract.sizes.map(({ group }) => group).filter((group) => !takers.has(group)));
  const chosen = new Set(useDraft((draft) => draft.sizeIds));
  const order = sizes.map(({ sizeId }) => sizeId);
  const choose = (sizeIds: readonly string[], isChosen: boolean): void =>
    edit((draft) => chooseSizes(draft, order, sizeIds, isChosen));
  return (
    <>
      <MotionFields contract={contract} onAdjust={onAdjust} />
      {others.size > 0 && (
        <p className="text-xs text-quiet">
          {t("sizes.notMade", { format: format.toUpperCase(), names: [...others].map(groupName).join(", ") })}
        </p>
      )}
      <div className="flex gap-2">
        <Button onClick={() => choose(order, true)}>{t("sizes.all")}</Button>
        <Button onClick={() => choose(order, false)}>{t("sizes.none")}</Button>
      </div>
      {groupSizes(sizes).map((group) => (
        <SizeGroupField key={group.group} group={group} chosen={chosen} onChoose={choose} />
      ))}
    </>
  );
}
