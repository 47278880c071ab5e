import { COMPOSITIONS, VARIANTS } from "creative-packs-service/looks";
import type { PictureSlotId } from "creative-packs-service/slots";
import { ChevronRight, Crop, RotateCcw } from "lucide-react";
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
import { useTile } from "../use-engine.ts";

interface OwnProps {
  readonly sizeId: string;
}

/** Fields that one size can override; each shows the pack's value until changed. */
export function OwnFields({ sizeId }: OwnProps) {
  const { t } = useTranslation("editor");
  const files = useDraft((draft) => draft.files);
  const texts = TEXT_FIELDS.map((field) => <OwnText key={field} sizeId={sizeId} field={field} />);
  return (
    <>
      {texts.slice(0, 3)}
      <details className="group">
        <summary className="flex cursor-pointer list-none items-center gap-1.5 py-1 font-medium">
          <ChevronRight className="-ml-1 size-4 text-quiet transition-transform group-open:rotate-90" />
          {t("own.more")}
        </summary>
        <div className="flex flex-col gap-4 pt-2">{texts.slice(3)}</div>
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
  readonly isText?: boolean;
  /** Resets the field to the pack's value; null if it has that value. */
  readonly onReset: (() => void) | null;
  readonly children: ReactNode;
}

/** A field with a reset button. */
function OwnValue({ name, isText = false, onReset, children }: OwnValueProps) {
  const { t } = useTranslation("editor");
  const share = t(isText ? "own.share" : "own.asPack");
  return (
    <div className="flex flex-col">
      {children}
      {onReset !== null && (
        <p className="mt-1.5 flex min-h-6 items-center gap-1.5 text-xs text-quiet">
          <i aria-hidden="true" className="size-1.5 rounded-full bg-accent" /> {t("own.only")}
          <button
            type="button"
            aria-label={`${share}: ${name}`}
            onClick={onReset}
            className="ml-auto flex min-h-6 items-center gap-1.5 font-medium text-accent hover:underline"
          >
            <RotateCcw className="size-3" /> {share}
          </button>
        </p>
      )}
    </div>
  );
}

/** Field for a text of one size. Typing the pack's text removes the override. */
function OwnText({ sizeId, field }: OwnProps & { readonly field: TextField }) {
  const { t } = useTranslation("editor");
  const edit = useEdit();
  const packText = useDraft(({ texts }) => texts[field]);
  const ownText = useDraft((draft) => overrideOf(draft, sizeId).texts[field]);
  const fault = useDraft((draft) => textFault(textsOf(draft, sizeId), field));
  const role = field === "oldPrice" ? "old_price" : field;
  const isLeftOut = useTile(sizeId)?.drawing?.layout.adjustments.some(
    ({ code, element }) => code === "text_dropped" && element === role,
  );
  const set = (text: string): void =>
    edit(
      (draft) => setOwnText(draft, sizeId, field, text === packText ? null : text),
      `own.${sizeId}.${field}`,
    );
  return (
    <OwnValue name={t(`copy.${field}`)} isText onReset={ownText === undefined ? null : () => set(packText)}>
      <CountedField
        field={field}
        text={ownText ?? packText}
        fault={fault}
        placeholder={packText}
        onChange={set}
      />
      {isLeftOut && <p className="mt-1.5 text-xs text-amber">{t("own.leftOut")}</p>}
    </OwnValue>
  );
}

/** Value of the option that removes the override, since a select's value cannot be empty. */
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
  const selects = [
    {
      label: t("own.composition"),
      value: composition ?? PACK,
      options: COMPOSITIONS.map((id) => ({ value: id, text: t(`style.compositions.${id}`) })),
      onChange: (chosen: string) => set({ composition: COMPOSITIONS.find((one) => one === chosen) }),
    },
    {
      label: t("own.variant"),
      value: String(variant ?? PACK),
      options: VARIANTS.map((count) => ({ value: String(count), text: t(`style.variants.${count}`) })),
      onChange: (chosen: string) => set({ variant: VARIANTS.find((one) => String(one) === chosen) ?? null }),
    },
  ];
  return (
    <>
      {selects.map(({ label, value, options, onChange }) => (
        <OwnValue key={label} name={label} onReset={value === PACK ? null : () => onChange(PACK)}>
          <Select {...{ label, value, onChange }} options={[asPack, ...options]} />
        </OwnValue>
      ))}
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
