import { COMPOSITIONS, VARIANTS } from "creative-packs-service/looks";
import type { PictureSlotId } from "creative-packs-service/slots";
import { Crop, RotateCcw } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "#ui/button.tsx";
import { Checkbox } from "#ui/checkbox.tsx";
import { Select } from "#ui/select.tsx";
import { CountedField } from "../copy/pack-text.tsx";
import { type DraftFile, filesOf, type TextField } from "../draft/draft.ts";
import { useDraft, useEdit } from "../draft/editor-store.ts";
import { isPictureSlot, overrideOf, setOwnDesign, setOwnPlacement, setOwnText } from "../draft/edits.ts";
import { FocalPointDialog } from "../files/focal-point-dialog.tsx";
import { textFault, textsOf } from "../order/pack-request.ts";
import { useContract } from "../sizes/contract-queries.ts";

interface OwnProps {
  readonly sizeId: string;
}

/** A text of one size. Typing the pack's text again ends the difference. */
export function OwnText({ sizeId, field }: OwnProps & { readonly field: TextField }) {
  const { t } = useTranslation("editor");
  const edit = useEdit();
  const packText = useDraft(({ texts }) => texts[field]);
  const ownText = useDraft((draft) => overrideOf(draft, sizeId).texts[field]);
  const fault = useDraft((draft) => textFault(textsOf(draft, sizeId), field));
  const set = (text: string): void =>
    edit(
      (draft) => setOwnText(draft, sizeId, field, text === packText ? null : text),
      `own.${sizeId}.${field}`,
    );
  return (
    <div className="flex flex-col">
      <CountedField
        field={field}
        text={ownText ?? packText}
        fault={fault}
        placeholder={packText}
        onChange={set}
      />
      {ownText !== undefined && <TakeBack name={t(`copy.${field}`)} onClick={() => set(packText)} />}
    </div>
  );
}

/** Gives a size the pack's value again. */
function TakeBack({ name, onClick }: { readonly name: string; readonly onClick: () => void }) {
  const { t } = useTranslation("editor");
  return (
    <button
      type="button"
      aria-label={`${t("own.asPack")}: ${name}`}
      onClick={onClick}
      className="mt-1 flex min-h-6 items-center gap-1.5 self-start text-xs font-medium text-accent hover:underline"
    >
      <RotateCcw aria-hidden="true" className="size-3" /> {t("own.asPack")}
    </button>
  );
}

/** A select's value cannot be empty. */
const PACK = "pack";

/** Layout, arrangement and resolution of one size. */
export function OwnDesign({ sizeId }: OwnProps) {
  const { t } = useTranslation("editor");
  const edit = useEdit();
  const { variant, composition, scale } = useDraft((draft) => overrideOf(draft, sizeId));
  const { data: contract } = useContract();
  const takesDouble = contract?.sizes.some(
    (size) => size.sizeId === sizeId && size.scale2SourceId !== undefined,
  );
  const asPack = { value: PACK, text: t("own.asPack") };
  return (
    <>
      <Select
        label={t("own.composition")}
        value={composition ?? PACK}
        options={[asPack, ...COMPOSITIONS.map((id) => ({ value: id, text: t(`style.compositions.${id}`) }))]}
        onChange={(chosen) =>
          edit((draft) =>
            setOwnDesign(draft, sizeId, { composition: COMPOSITIONS.find((one) => one === chosen) }),
          )
        }
      />
      <Select
        label={t("own.variant")}
        value={String(variant ?? PACK)}
        options={[asPack, ...VARIANTS.map((count) => ({ value: String(count), text: String(count) }))]}
        onChange={(chosen) =>
          edit((draft) =>
            setOwnDesign(draft, sizeId, { variant: VARIANTS.find((one) => String(one) === chosen) ?? null }),
          )
        }
      />
      {takesDouble === true && (
        <Checkbox
          isChecked={scale === 2}
          onChange={(isDouble) =>
            edit((draft) => setOwnDesign(draft, sizeId, { scale: isDouble ? 2 : undefined }))
          }
        >
          {t("own.scale")}
        </Checkbox>
      )}
    </>
  );
}

/** The crop of each picture in one size. */
export function OwnPlaces({ sizeId }: OwnProps) {
  const files = useDraft((draft) => draft.files);
  return filesOf(files).map(
    ([slot, file]) => isPictureSlot(slot) && <OwnPlace key={slot} sizeId={sizeId} slot={slot} file={file} />,
  );
}

interface OwnPlaceProps extends OwnProps {
  readonly slot: PictureSlotId;
  readonly file: DraftFile;
}

function OwnPlace({ sizeId, slot, file }: OwnPlaceProps) {
  const { t } = useTranslation("editor");
  const edit = useEdit();
  const [isOpen, setIsOpen] = useState(false);
  const packPlacement = useDraft(({ placements }) => placements[slot]);
  const own = useDraft((draft) => overrideOf(draft, sizeId).placements[slot]);
  const set = (placement: typeof own | null): void =>
    edit(
      (draft) => setOwnPlacement(draft, sizeId, slot, placement ?? null),
      `own.${sizeId}.placement.${slot}`,
    );
  const name = t("own.focal", { slot: t(`slots.${slot}`) });
  return (
    <div className="flex flex-col">
      <Button onClick={() => setIsOpen(true)}>
        <Crop aria-hidden="true" className="size-4" /> {name}
      </Button>
      {own !== undefined && <TakeBack name={name} onClick={() => set(null)} />}
      {isOpen && (
        <FocalPointDialog
          slot={slot}
          file={file}
          title={t("focal.title")}
          placement={own ?? packPlacement}
          onClose={() => setIsOpen(false)}
          onChange={set}
        />
      )}
    </div>
  );
}
