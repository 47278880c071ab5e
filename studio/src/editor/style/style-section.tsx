import { COMPOSITIONS, LOOK_IDS, VARIANTS } from "creative-packs-service/looks";
import { useTranslation } from "react-i18next";
import { useDraftBrand } from "#brands/draft-brand.ts";
import { useDraft, useEdit } from "../draft/editor-store.ts";
import { Section } from "../section.tsx";
import { BrandChoice } from "./brand-choice.tsx";
import { Choices } from "./choices.tsx";
import { ColourGrid } from "./colour-button.tsx";
import { paletteOf } from "./palette.ts";

/** How the pack looks: look, arrangement, colours. */
export function StyleSection() {
  const { t } = useTranslation("editor");
  const brand = useDraftBrand();
  const own = useDraft((draft) => draft.look);
  const look = own ?? brand?.look ?? LOOK_IDS[0];
  const variant = useDraft((draft) => draft.variant);
  const composition = useDraft((draft) => draft.composition ?? "auto");
  const edit = useEdit();
  return (
    <Section title={t("style.title")}>
      <BrandChoice />
      <Choices
        label={t("style.look")}
        value={look}
        options={LOOK_IDS.map((id) => ({
          value: id,
          text: t(`style.looks.${id}.name`),
          hint: t(`style.looks.${id}.text`),
        }))}
        onChange={(chosen) => edit((draft) => ({ ...draft, look: chosen }))}
      />
      <Choices
        label={t("style.composition")}
        hint={t("style.compositionHint")}
        value={composition}
        options={COMPOSITIONS.map((id) => ({ value: id, text: t(`style.compositions.${id}`) }))}
        onChange={(chosen) => edit((draft) => ({ ...draft, composition: chosen }))}
      />
      <Choices
        label={t("style.variant")}
        hint={t("style.variantHint")}
        value={variant}
        isRow
        options={VARIANTS.map((count) => ({ value: count, text: String(count) }))}
        onChange={(chosen) => edit((draft) => ({ ...draft, variant: chosen }))}
      />
      <Colours />
    </Section>
  );
}

/** The colours of the pack, its files' to choose from. */
function Colours() {
  const edit = useEdit();
  return (
    <ColourGrid
      colours={useDraft((draft) => draft.brand)}
      brand={useDraftBrand()}
      palette={paletteOf(useDraft((draft) => draft.files))}
      onChange={(role, colour) =>
        edit(
          (draft) => ({ ...draft, brand: { ...draft.brand, [role]: colour ?? undefined } }),
          `brand.${role}`,
        )
      }
    />
  );
}
