import type { Contract } from "creative-packs";
import { ChevronDown } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Menu } from "#ui/menu.tsx";
import { Select } from "#ui/select.tsx";
import { TextField } from "#ui/text-field.tsx";
import { useDraft, useEdit } from "../draft/editor-store.ts";
import { isClickUrl, networkOf } from "../order/pack-request.ts";
import { changeMotion, formatsOf, withFormat } from "./change-contract.ts";
import { useSizeNames } from "./size-names.ts";

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
          onChange={(chosen) => edit((draft) => withFormat(draft, contract, chosen))}
        />
      </div>
      {format === "html5" && <ClickFields />}
      <AdjustedSizes contract={contract} onAdjust={onAdjust} />
    </>
  );
}

const NETWORKS = ["google", "adform", "amazon", "xandr"] as const;

/** Where a click on a banner leads, and the ad server that takes it over. */
function ClickFields() {
  const { t } = useTranslation("editor");
  const edit = useEdit();
  const network = useDraft(networkOf);
  const clickUrl = useDraft((draft) => draft.clickUrl ?? "");
  const isWrong = clickUrl.trim() !== "" && !isClickUrl(clickUrl);
  return (
    <div className="flex flex-wrap gap-3">
      <Select
        label={t("sizes.network")}
        value={network}
        options={NETWORKS.map((value) => ({ value, text: t(`sizes.networks.${value}`) }))}
        onChange={(chosen) => edit((draft) => ({ ...draft, network: chosen }))}
      />
      <div className="min-w-64 flex-1">
        <TextField
          label={t("sizes.clickUrl")}
          type="url"
          value={clickUrl}
          placeholder="https://example.com/spring"
          hint={t("sizes.clickUrlHint")}
          fault={isWrong ? t("sizes.clickUrlFault") : null}
          onChange={(event) => {
            const { value } = event.currentTarget;
            edit((draft) => ({ ...draft, clickUrl: value }));
          }}
        />
      </div>
    </div>
  );
}

interface AdjustedSizesProps {
  readonly contract: Contract;
  readonly onAdjust: (sizeId: string) => void;
}

/** The sizes that have something of their own, and the way to another. */
function AdjustedSizes({ contract, onAdjust }: AdjustedSizesProps) {
  const { t } = useTranslation("editor");
  const { sizeName } = useSizeNames();
  const sizeIds = useDraft((draft) => draft.sizeIds);
  const overrides = useDraft((draft) => draft.overrides);
  const chosen = contract.sizes.filter(({ sizeId }) => sizeIds.includes(sizeId));
  const adjusted = chosen.filter(({ sizeId }) => overrides[sizeId] !== undefined);
  if (chosen.length === 0) return null;
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      <Menu
        label={`${t("sizes.adjust")}: ${t("sizes.adjustText")}`}
        text={
          <>
            {t("sizes.adjust")}
            <ChevronDown aria-hidden="true" className="size-4" />
          </>
        }
      >
        <div className="max-h-80 overflow-y-auto">
          {chosen.map((size) => (
            <Menu.Item key={size.sizeId} onClick={() => onAdjust(size.sizeId)}>
              {sizeName(size)}
            </Menu.Item>
          ))}
        </div>
      </Menu>
      {adjusted.map((size) => (
        <button
          key={size.sizeId}
          type="button"
          onClick={() => onAdjust(size.sizeId)}
          className="rounded-full bg-accent-soft px-2.5 py-1 text-xs font-medium text-accent hover:underline"
        >
          {t("sizes.own", { name: sizeName(size) })}
        </button>
      ))}
    </div>
  );
}
