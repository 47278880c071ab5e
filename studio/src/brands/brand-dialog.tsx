import { useIsMutating, useMutation, useQuery } from "@tanstack/react-query";
import type { SavedBrand } from "creative-packs";
import { LIMITS } from "creative-packs-service/limits";
import { BUTTON_STYLES, LOOK_IDS } from "creative-packs-service/looks";
import { BRAND_ASSET_NAMES } from "creative-packs-service/slots";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { clientOf } from "#api/client.ts";
import { queryClient } from "#api/queries.ts";
import { useIsOwner, useWorkspaceId } from "#app/workspace.ts";
import { LanguageSelect } from "#editor/copy/words-section.tsx";
import { ColourGrid } from "#editor/style/colour-button.tsx";
import { paletteOf } from "#editor/style/palette.ts";
import { brandsQuery } from "#packs/pack-queries.ts";
import { ConfirmButton } from "#ui/confirm-button.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { Form, textOf } from "#ui/form.tsx";
import { Select } from "#ui/select.tsx";
import { TextField } from "#ui/text-field.tsx";
import { showToast } from "#ui/toast.ts";
import { BrandFileField, UPLOAD_KEY } from "./brand-files.tsx";
import { type BrandForm, brandFileQuery } from "./brand-queries.ts";
import { BrandSample, themeOfBrand } from "./brand-sample.tsx";

interface BrandDialogProps {
  /** Initial values of the form. Without an id, the form creates a brand. */
  readonly brand: BrandForm;
  readonly onClose: () => void;
  readonly onSaved?: (brand: SavedBrand) => void;
}

/** Creates or edits a brand. */
export function BrandDialog({ brand: given, onClose, onSaved }: BrandDialogProps) {
  const { t } = useTranslation("brands");
  const { t: editor } = useTranslation("editor");
  const workspaceId = useWorkspaceId();
  const isOwner = useIsOwner();
  const [brand, setBrand] = useState(given);
  const { brandId, colors, assetIds, look, buttonStyle, language } = brand;
  const change = (changes: Partial<BrandForm>): void => setBrand((now) => ({ ...now, ...changes }));
  const logo = useQuery(brandFileQuery(workspaceId, assetIds.logoOnLight ?? assetIds.logoOnDark));
  const { roles, ...sample } = themeOfBrand(brand, logo.data?.file.colours ?? []);
  const isUploading = useIsMutating({ mutationKey: UPLOAD_KEY }) > 0;
  const { brands } = clientOf(workspaceId);
  const finish = async (done: "saved" | "deleted", { name }: SavedBrand): Promise<void> => {
    await queryClient.invalidateQueries(brandsQuery(workspaceId));
    showToast(t(done, { name }));
    onClose();
  };
  const save = useMutation({
    mutationFn: async (form: FormData) => {
      const words = { name: textOf(form, "name"), disclaimer: textOf(form, "disclaimer"), language };
      const body = { ...words, colors, assetIds, look, buttonStyle };
      return brandId === undefined ? brands.create(body) : brands.update(brandId, body);
    },
    onSuccess: async (saved) => {
      await finish("saved", saved);
      onSaved?.(saved);
    },
  });
  const lists = { look: ["none", ...LOOK_IDS], buttonStyle: ["none", ...BUTTON_STYLES] } as const;
  const files = BRAND_ASSET_NAMES.map((name) => (
    <BrandFileField
      key={name}
      name={name}
      assetId={assetIds[name]}
      onChange={(assetId) => {
        const { [name]: _, ...others } = assetIds;
        change({ assetIds: assetId === undefined ? others : { ...others, [name]: assetId } });
      }}
    />
  ));
  return (
    <Dialog title={given.name || t("new")} isOpen onClose={onClose} width="large">
      <Form
        sending={save}
        submit={t("save")}
        isDisabled={!isOwner || isUploading}
        onCancel={onClose}
        aside={
          brandId !== undefined &&
          isOwner && (
            <ConfirmButton
              text={t("delete")}
              question={t("deleteQuestion", { name: given.name })}
              consequence={t("deleteConsequence")}
              onConfirm={async () => finish("deleted", await brands.delete(brandId))}
            />
          )
        }
      >
        <div className="grid grid-cols-[minmax(0,1fr)] gap-6 lg:grid-cols-[minmax(0,1fr)_18rem]">
          <TextField
            label={t("name")}
            name="name"
            defaultValue={brand.name}
            placeholder={t("namePlaceholder")}
            maxLength={LIMITS.brandNameCharactersMax}
            autoComplete="off"
            required
          />
          <div className="grid gap-4 sm:grid-cols-2">{files.slice(0, 2)}</div>
          <BrandSample {...sample} assetIds={assetIds} />
          <ColourGrid
            colours={colors}
            automatic={logo.data ? roles : {}}
            palette={logo.data ? paletteOf({ logo: logo.data.file }) : []}
            onChange={(role, colour) => {
              const { [role]: _, ...others } = colors;
              change({ colors: colour === null ? others : { ...others, [role]: colour } });
            }}
          />
          <div className="grid gap-4 sm:grid-cols-2">{files.slice(2)}</div>
          <div className="grid gap-4 sm:grid-cols-3">
            <Select
              label={t("look")}
              value={look ?? "none"}
              options={lists.look.map((value) => ({
                value,
                text: value === "none" ? t("anyLook") : editor(`style.looks.${value}.name`),
              }))}
              onChange={(value) => change({ look: value === "none" ? null : value })}
            />
            <Select
              label={t("button")}
              value={buttonStyle ?? "none"}
              options={lists.buttonStyle.map((value) => ({ value, text: t(`buttons.${value}`) }))}
              onChange={(value) => change({ buttonStyle: value === "none" ? null : value })}
            />
            <LanguageSelect language={language ?? ""} onChange={(tag) => change({ language: tag || null })} />
          </div>
          <TextField
            label={t("disclaimer")}
            hint={t("disclaimerHint")}
            name="disclaimer"
            defaultValue={brand.disclaimer ?? ""}
            maxLength={LIMITS.copyDisclaimerCharactersMax}
          />
        </div>
      </Form>
    </Dialog>
  );
}
