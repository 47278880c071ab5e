import type { Contract } from "creative-packs";
import { useTranslation } from "react-i18next";
import { Select } from "#ui/select.tsx";
import { TextField } from "#ui/text-field.tsx";
import { useDraft, useEdit } from "../draft/editor-store.ts";
import { isClickUrl, networkOf } from "../order/pack-request.ts";
import { changeMotion, formatsOf, withFormat } from "./change-contract.ts";

const MOTIONS = ["static", "animated"] as const;

/** Fields for the motion and the file format. */
export function MotionFields({ contract }: { readonly contract: Contract }) {
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
    </>
  );
}

const NETWORKS = ["google", "adform", "amazon", "xandr"] as const;

/** Fields for the click-through URL of banners, and the ad server that handles clicks. */
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
