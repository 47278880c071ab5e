import { useQuery } from "@tanstack/react-query";
import type { SavedBrand } from "creative-packs";
import { Check, Ellipsis } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { queryClient } from "#api/queries.ts";
import { useIsOwner, useWorkspaceId } from "#app/workspace.ts";
import type { BrandForm } from "#brands/brand-queries.ts";
import {
  brandParts,
  designOfDraft,
  PART_NAMES,
  takeParts,
  useDraftBrand,
  useHasPicture,
} from "#brands/draft-brand.ts";
import { brandsQuery } from "#packs/pack-queries.ts";
import { Button } from "#ui/button.tsx";
import { Menu } from "#ui/menu.tsx";
import { Select } from "#ui/select.tsx";
import { showErrorToast } from "#ui/toast.ts";
import { useDraft, useDraftId, useEdit, useEditorStore } from "../draft/editor-store.ts";
import { uploadQuery } from "../files/uploads.ts";

const BrandDialog = lazy(async () => ({ default: (await import("#brands/brand-dialog.tsx")).BrandDialog }));

/** Value of the empty option, since a select's value cannot be empty. */
const NONE = "none";

/** Select for the pack's brand, with the parts that it supplies and those that the pack overrides. */
export function BrandChoice() {
  const { t } = useTranslation("brands");
  const workspaceId = useWorkspaceId();
  const draftId = useDraftId();
  const { data: brands = [] } = useQuery(brandsQuery(workspaceId));
  const store = useEditorStore();
  const brandId = useDraft((draft) => draft.brandId ?? null);
  const brand = useDraftBrand();
  const hasPicture = useHasPicture();
  const isOwner = useIsOwner();
  const edit = useEdit();
  const [open, setOpen] = useState<BrandForm | null>(null);
  const options = brands.map((one) => ({ value: one.brandId, text: one.name }));
  if (brand === null && brandId !== null) options.push({ value: brandId, text: t("gone") });
  const choose = (chosen: string): void =>
    edit((now) =>
      chosen === NONE
        ? { ...now, brandId: null }
        : // The brand's design applies at once. The draft's own files and texts stay until the user replaces them by the brand's.
          { ...takeParts(now, ["colours", "look", "button"]), brandId: chosen },
    );
  const saveAs = async (): Promise<void> => {
    const draft = store.getState().history.present;
    const assetOf = (slot: "logo" | "font") => {
      const file = draft.files[slot];
      return file && queryClient.fetchQuery(uploadQuery({ workspaceId, draftId }, slot, file));
    };
    setOpen(
      designOfDraft(draft, { logo: await assetOf("logo"), font: await assetOf("font") }, brand ?? null),
    );
  };
  return (
    <div className="flex flex-col gap-2">
      <div className="flex items-end gap-2">
        <div className="min-w-0 flex-1">
          <Select
            label={t("brand")}
            value={brandId ?? NONE}
            options={[{ value: NONE, text: t("none") }, ...options]}
            onChange={choose}
          />
        </div>
        {isOwner && brand && <Button onClick={() => setOpen(brand)}>{t("edit")}</Button>}
        {isOwner && hasPicture && (
          <Menu label={t("more")} text={<Ellipsis className="-mx-1.5 size-4" />}>
            <Menu.Item onClick={() => saveAs().catch(showErrorToast)}>{t("saveAs")}</Menu.Item>
          </Menu>
        )}
      </div>
      {brand && <Parts brand={brand} />}
      {open !== null && (
        <Suspense>
          <BrandDialog
            brand={open}
            onClose={() => setOpen(null)}
            onSaved={(saved) =>
              open.brandId === undefined &&
              edit((now) => ({ ...takeParts(now, PART_NAMES), brandId: saved.brandId }))
            }
          />
        </Suspense>
      )}
    </div>
  );
}

/** The parts of the design that the brand supplies. A part that the draft overrides has a reset button. */
function Parts({ brand }: { readonly brand: SavedBrand }) {
  const { t } = useTranslation("brands");
  const draft = useDraft((one) => one);
  const edit = useEdit();
  const { name } = brand;
  return (
    <ul className="w-full divide-y divide-line border-y border-line empty:hidden [&_button]:-mr-3.5">
      {brandParts(brand, draft).map((part) => (
        <li key={part.name} className="flex min-h-10 items-center justify-between gap-2 text-sm">
          <span className="font-medium">{t(`parts.${part.name}`)}</span>
          {part.isOwn ? (
            <Button
              kind="link"
              aria-label={t("useOf", { part: t(`parts.${part.name}`), name })}
              onClick={() => edit((now) => takeParts(now, [part.name]))}
            >
              {t("use", { name })}
            </Button>
          ) : (
            <span className="flex items-center gap-1.5 text-xs text-quiet">
              <Check size={14} className="text-accent" />
              {t("from", { name })}
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}
