import type { Contract } from "creative-packs";
import { useTranslation } from "react-i18next";
import { Select } from "#ui/select.tsx";
import { useDraft, useEdit } from "../draft/editor-store.ts";
import { AdjustedSizes } from "./adjusted-sizes.tsx";
import { changeMotion, formatsOf } from "./change-contract.ts";

interface MotionFieldsProps {
  readonly contract: Contract;
  readonly onAdjust: (sizeId: string) => void;
}

const MOTIONS = ["static", "animated"] as const;

/** Whether the pack moves, its files' format, and the sizes that differ from the pack. */
export function MotionFields({ contract, onAdjust }: MotionFieldsProps) {
  const { t } = useTranslation("editor");
  const edit = useEdit();
  const motion = useDraft((draft) => draft.motion);
  const format = useDraft((draft) => draft.outputFormat);
  return (
    <>
      <div className="flex flex-wrap gap-3">
        <Select
          label={t("sizes.motion")}
          value={motion}
          options={MOTIONS.map((value) => ({
            value,
            text: t(`sizes.motions.${value}`, {
              price: t("sizes.credits", { count: contract.prices[value] }),
            }),
          }))}
          onChange={(chosen) => edit((draft) => changeMotion(draft, contract, chosen))}
        />
        <Select
          label={t("sizes.format")}
          value={format}
          options={formatsOf(contract, motion).map((value) => ({ value, text: value.toUpperCase() }))}
          onChange={(chosen) => edit((draft) => ({ ...draft, outputFormat: chosen }))}
        />
      </div>
      <AdjustedSizes contract={contract} onAdjust={onAdjust} />
    </>
  );
}
