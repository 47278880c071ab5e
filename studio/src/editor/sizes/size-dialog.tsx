import type { Size } from "creative-packs";
import { COMPOSITIONS, VARIANTS } from "creative-packs-service/looks";
import type { PictureSlotId } from "creative-packs-service/slots";
import { Check } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "#ui/button.tsx";
import { Checkbox } from "#ui/checkbox.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { CountedField } from "../copy/pack-text.tsx";
import { type DraftFile, filesOf, TEXT_FIELDS, type TextField } from "../draft/draft.ts";
import { useDraft, useEdit } from "../draft/editor-store.ts";
import {
  clearOverride,
  isPictureSlot,
  overrideOf,
  setOwnDesign,
  setOwnPlacement,
  setOwnText,
} from "../draft/edits.ts";
import { FocalPointDialog } from "../files/lazy-focal-point.tsx";
import { textFault, textsOf } from "../order/pack-request.ts";
import { Choices } from "../style/choices.tsx";
import { useSizeNames } from "./size-names.ts";

interface SizeDialogProps {
  /** Null while none is adjusted. */
  readonly size: Size | null;
  readonly onClose: () => void;
}

/** What one size has of its own: words, arrangement, focal points. */
export function SizeDialog({ size, onClose }: SizeDialogProps) {
  const { t } = useTranslation("editor");
  const { sizeName } = useSizeNames();
  const title = size === null ? "" : t("own.title", { name: sizeName(size) });
  return (
    <Dialog title={title} isOpen={size !== null} onClose={onClose}>
      {size !== null && <SizeFields size={size} />}
    </Dialog>
  );
}

function SizeFields({ size: { sizeId, scale2SourceId } }: { readonly size: Size }) {
  const { t } = useTranslation("editor");
  const edit = useEdit();
  const pack = useDraft((draft) => draft);
  const own = overrideOf(pack, sizeId);
  const pictures = filesOf(pack.files).flatMap(([slot, file]) =>
    isPictureSlot(slot) ? [{ slot, file }] : [],
  );
  return (
    <div className="flex flex-col gap-5">
      <p className="text-sm text-quiet">{t("own.lead")}</p>
      {TEXT_FIELDS.map((field) => (
        <OwnText key={field} sizeId={sizeId} field={field} />
      ))}
      <Choices
        label={t("own.variant")}
        value={own.variant ?? 0}
        isRow
        options={[
          { value: 0, text: t("own.asPack") },
          ...VARIANTS.map((count) => ({ value: count, text: String(count) })),
        ]}
        onChange={(chosen) =>
          edit((draft) =>
            setOwnDesign(draft, sizeId, { variant: VARIANTS.find((one) => one === chosen) ?? null }),
          )
        }
      />
      <Choices
        label={t("own.composition")}
        value={own.composition ?? ""}
        options={[
          { value: "", text: t("own.asPack") },
          ...COMPOSITIONS.map((id) => ({ value: id, text: t(`style.compositions.${id}`) })),
        ]}
        onChange={(chosen) =>
          edit((draft) =>
            setOwnDesign(draft, sizeId, { composition: COMPOSITIONS.find((one) => one === chosen) }),
          )
        }
      />
      {scale2SourceId !== undefined && (
        <Checkbox
          isChecked={own.scale === 2}
          onChange={(isDouble) =>
            edit((draft) => setOwnDesign(draft, sizeId, { scale: isDouble ? 2 : undefined }))
          }
        >
          {t("own.scale")}
        </Checkbox>
      )}
      {pictures.map(({ slot, file }) => (
        <OwnPlace key={slot} sizeId={sizeId} slot={slot} file={file} />
      ))}
      <Button
        disabled={pack.overrides[sizeId] === undefined}
        onClick={() => edit((draft) => clearOverride(draft, sizeId))}
      >
        {t("own.reset")}
      </Button>
    </div>
  );
}

function OwnText({ sizeId, field }: { readonly sizeId: string; readonly field: TextField }) {
  const { t } = useTranslation("editor");
  const edit = useEdit();
  const pack = useDraft((draft) => draft);
  const text = overrideOf(pack, sizeId).texts[field];
  const set = (typed: string | null): void =>
    edit((draft) => setOwnText(draft, sizeId, field, typed), `own.${sizeId}.${field}`);
  if (text === undefined)
    return (
      <div className="flex items-center justify-between gap-3">
        <p className="min-w-0 text-sm">
          <span className="font-medium">{t(`copy.${field}`)}</span>
          <span className="block truncate text-xs text-quiet">
            {pack.texts[field] === "" ? t("own.asPack") : pack.texts[field]}
          </span>
        </p>
        <Button
          aria-label={`${t("own.change")}: ${t(`copy.${field}`)}`}
          onClick={() => set(pack.texts[field])}
        >
          {t("own.change")}
        </Button>
      </div>
    );
  return (
    <div className="flex flex-col items-end gap-1">
      <div className="w-full">
        <CountedField
          field={field}
          text={text}
          fault={textFault(textsOf(pack, sizeId), field)}
          placeholder=""
          onChange={set}
        />
      </div>
      <button
        type="button"
        aria-label={`${t("own.asPack")}: ${t(`copy.${field}`)}`}
        onClick={() => set(null)}
        className="text-xs text-accent underline underline-offset-2"
      >
        {t("own.asPack")}
      </button>
    </div>
  );
}

interface OwnPlaceProps {
  readonly sizeId: string;
  readonly slot: PictureSlotId;
  readonly file: DraftFile;
}

function OwnPlace({ sizeId, slot, file }: OwnPlaceProps) {
  const { t } = useTranslation("editor");
  const edit = useEdit();
  const [isOpen, setIsOpen] = useState(false);
  const pack = useDraft((draft) => draft);
  const own = overrideOf(pack, sizeId).placements[slot];
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>
        {own !== undefined && <Check aria-hidden="true" className="size-4" />}
        {t("own.focal", { slot: t(`slots.${slot}`) })}
      </Button>
      {isOpen && (
        <FocalPointDialog
          slot={slot}
          file={file}
          title={t("focal.title")}
          placement={own ?? pack.placements[slot]}
          onClose={() => setIsOpen(false)}
          onChange={(placement) =>
            edit(
              (draft) => setOwnPlacement(draft, sizeId, slot, placement),
              `own.${sizeId}.placement.${slot}`,
            )
          }
        />
      )}
    </>
  );
}
