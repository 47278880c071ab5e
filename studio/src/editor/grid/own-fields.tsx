import { COMPOSITIONS, VARIANTS } from "creative-packs-service/looks";
import type { PictureSlotId } from "creative-packs-service/slots";
import { Crop, RotateCcw } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "#ui/button.tsx";
import { Checkbox } from "#ui/checkbox.tsx";
import { Select } from "#ui/select.tsx";
import { CountedField } from "../copy/pack-text.tsx";
import { type DraftFile, filesOf, TEXT_FIELDS, type TextField } from "../draft/draft.ts";
import { useDraft, useEdit } from "../draft/editor-store.ts";
import { isPictureSlot, overrideOf, setOwnDesign, setOwnPlacement, setOwnText } from "../draft/edits.ts";
import { FocalPointDialog } from "../files/focal-point-dialog.tsx";
import { textFault, textsOf } from "../order/pack-request.ts";
import { useContract } from "../sizes/contract-queries.ts";

interface OwnProps {
  readonly sizeId: string;
}

/** What one size can have of its own; each value is the pack's until it is changed. */
export function OwnFields({ sizeId }: OwnProps) {
  const { t } = useTranslation("editor");
  const files = useDraft((draft) => draft.files);
  const texts = TEXT_FIELDS.map((field) => <OwnText key={field} sizeId={sizeId} field={field} />);
  return (
    <>
      {texts.slice(0, 3)}
      <details>
        <summary className="cursor-pointer py-1 font-medium">{t("own.more")}</summary>
        <div className="flex flex-col gap-3 pt-2">{texts.slice(3)}</div>
      </details>
      <OwnDesign sizeId={sizeId} />
      {filesOf(files).map(
        ([slot, file]) =>
          isPictureSlot(slot) && <OwnPlace key={slot} sizeId={sizeId} slot={slot} file={file} />,
      )}
    </>
  );
}

interface OwnValueProps {
  readonly name: string;
  /** Gives the size the pack's value again; null while it has that. */
  readonly onReset: (() => void) | null;
  readonly children: ReactNode;
}

/** A field with the way back to the pack's value. */
function OwnValue({ name, onReset, children }: OwnValueProps) {
  const { t } = useTranslation("editor");
  return (
    <div className="flex flex-col">
      {children}
      {onReset !== null && (
        <button
          type="button"
          aria-label={`${t("own.asPack")}: ${name}`}
          onClick={onReset}
          className="mt-1 flex min-h-6 items-center gap-1.5 self-start text-xs font-medium text-accent hover:underline"
        >
          <RotateCcw className="size-3" /> {t("own.asPack")}
        </button>
      )}
    </div>
  );
}

/** A text of one size. Typing the pack's text again ends the difference. */
function OwnText({ sizeId, field }: OwnProps & { readonly field: TextField }) {
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
    <OwnValue name={t(`copy.${field}`)} onReset={ownText === undefined ? null : () => set(packText)}>
      <CountedField
        field={field}
        text={ownText ?? packText}
        fault={fault}
        placeholder={packText}
        onChange={set}
      />
    </OwnValue>
  );
}

/** A select's value cannot be empty. */
const PACK = "pack";

/** Layout, arrangement and resolution of one size. */
function OwnDesign({ sizeId }: OwnProps) {
  const { t } = useTranslation("editor");
  const edit = useEdit();
  const { variant, composition, scale } = useDraft((draft) => overrideOf(draft, sizeId));
  const { data: contract } = useContract();
  const size = contract?.sizes.find((one) => one.sizeId === sizeId);
  const asPack = { value: PACK, text: t("own.asPack") };
  const set = (own: Parameters<typeof setOwnDesign>[2]): void =>
    edit((draft) => setOwnDesign(draft, sizeId, own));
  return (
    <>
      <Select
        label={t("own.composition")}
        value={composition ?? PACK}
        options={[asPack, ...COMPOSITIONS.map((id) => ({ value: id, text: t(`style.compositions.${id}`) }))]}
        onChange={(chosen) => set({ composition: COMPOSITIONS.find((one) => one === chosen) })}
      />
      <Select
        label={t("own.variant")}
        value={String(variant ?? PACK)}
        options={[asPack, ...VARIANTS.map((count) => ({ value: String(count), text: String(count) }))]}
        onChange={(chosen) => set({ variant: VARIANTS.find((one) => String(one) === chosen) ?? null })}
      />
      {size?.scale2SourceId !== undefined && (
        <Checkbox isChecked={scale === 2} onChange={(isDouble) => set({ scale: isDouble ? 2 : undefined })}>
          {t("own.scale")}
        </Checkbox>
      )}
    </>
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
  const shared = useDraft(({ placements }) => placements[slot]);
  const own = useDraft((draft) => overrideOf(draft, sizeId).placements[slot]);
  const set = (placement: typeof own | null): void =>
    edit(
      (draft) => setOwnPlacement(draft, sizeId, slot, placement ?? null),
      `own.${sizeId}.placement.${slot}`,
    );
  const name = t("own.focal", { slot: t(`slots.${slot}`) });
  return (
    <OwnValue name={name} onReset={own === undefined ? null : () => set(null)}>
      <Button onClick={() => setIsOpen(true)}>
        <Crop className="size-4" /> {name}
      </Button>
      {isOpen && (
        <FocalPointDialog
          slot={slot}
          file={file}
          title={t("focal.title")}
          placement={own ?? shared}
          onClose={() => setIsOpen(false)}
          onChange={set}
        />
      )}
    </OwnValue>
  );
}
