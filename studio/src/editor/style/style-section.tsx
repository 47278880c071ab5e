import { LOOK_IDS, VARIANTS } from "creative-packs-service/looks";
import { useTranslation } from "react-i18next";
import { useDraft, useEdit } from "../draft/editor-store.ts";
import { Section } from "../section.tsx";
import { Choices } from "./choices.tsx";
import { Colours } from "./colours.tsx";

/** How the pack looks: look, arrangement, colours. */
export function StyleSection() {
  const { t } = useTranslation("editor");
  const look = useDraft((draft) => draft.look);
  const variant = useDraft((draft) => draft.variant);
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
