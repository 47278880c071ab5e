import type { ErrorDetails } from "creative-packs";
import { useTranslation } from "react-i18next";
import { Button } from "#ui/button.tsx";
import { useEdit } from "../draft/editor-store.ts";
import { setOwnText } from "../draft/edits.ts";
import { useContract } from "../sizes/contract-queries.ts";
import { useSizeNames } from "../sizes/size-names.ts";

type Misfit = NonNullable<ErrorDetails["misfits"]>[number];

interface MisfitsProps {
  readonly misfits: readonly Misfit[];
  readonly onSolved: () => void;
}

/** Sizes that the headline does not fit into: with what of it fits, and two ways on. */
export function Misfits({ misfits, onSolved }: MisfitsProps) {
  const { t } = useTranslation("editor");
  const { sizeName } = useSizeNames();
  const edit = useEdit();
  const { data: contract } = useContract();
  const nameOf = (sizeId: string): string => {
    const size = contract?.sizes.find((one) => one.sizeId === sizeId);
    return size === undefined ? sizeId : sizeName(size);
  };
  const solve = (isShortened: boolean): void => {
    const gone = new Set(misfits.map(({ sizeId }) => sizeId));
    edit((draft) =>
      isShortened
        ? misfits.reduce((now, { sizeId, longest }) => setOwnText(now, sizeId, "headline", longest), draft)
        : { ...draft, sizeIds: draft.sizeIds.filter((sizeId) => !gone.has(sizeId)) },
    );
    onSolved();
  };
  return (
    <div
      role="alert"
      className="flex flex-col gap-2 rounded-md border border-red bg-red-soft px-3.5 py-2.5 text-sm"
    >
      <p>{t("order.misfit")}</p>
      <ul className="max-h-32 list-disc overflow-y-auto pl-5 text-xs">
        {misfits.map(({ sizeId, longest }) => (
          <li key={sizeId}>
            {longest === ""
              ? t("order.misfitNone", { name: nameOf(sizeId) })
              : t("order.misfitLongest", { name: nameOf(sizeId), longest })}
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => solve(true)}>{t("order.useShorter")}</Button>
        <Button onClick={() => solve(false)}>{t("order.leaveOut")}</Button>
      </div>
    </div>
  );
}
