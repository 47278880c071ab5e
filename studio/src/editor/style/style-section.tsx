import { COMPOSITIONS, LOOK_IDS, VARIANTS } from "creative-packs-service/looks";
import type { Brand } from "creative-packs-service/renderer";
import { useTranslation } from "react-i18next";
import { useDraft, useEdit } from "../draft/editor-store.ts";
import { Section } from "../section.tsx";
import { Choices } from "./choices.tsx";
import { ColourButton } from "./colour-button.tsx";
import { paletteOf } from "./palette.ts";

/** How the pack looks: look, arrangement, colours. */
export function StyleSection() {
  const { t } = useTranslation("editor");
  const look = useDraft((draft) => draft.look);
  const variant = useDraft((draft) => draft.variant);
  const composition = useDraft((draft) => draft.composition ?? "auto");
  const edit = useEdit();
  return (
    <Section title={t("style.title")}>
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

const ROLES = [
  "primaryColor",
  "backgroundColor",
  "textColor",
  "accentColor",
  "buttonColor",
  "buttonTextColor",
] as const satisfies readonly (keyof Brand)[];

/** The six colours of the brand; each that is left open is chosen from the pictures. */
function Colours() {
  const { t } = useTranslation("editor");
  const brand = useDraft((draft) => draft.brand);
  const files = useDraft((draft) => draft.files);
  const edit = useEdit();
  const palette = paletteOf(files);
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="mb-1.5 text-sm font-medium">{t("style.colours")}</legend>
      <p className="-mt-1.5 text-xs text-quiet">{t("style.coloursLead")}</p>
      <div className="grid grid-cols-2 gap-1.5">
        {ROLES.map((role) => (
          <ColourButton
            key={role}
            role={t(`style.roles.${role}`)}
            colour={brand[role] ?? null}
            palette={palette}
            onChange={(colour) =>
              edit(
                (draft) => ({ ...draft, brand: { ...draft.brand, [role]: colour ?? undefined } }),
                `brand.${role}`,
              )
            }
          />
        ))}
      </div>
    </fieldset>
  );
}
