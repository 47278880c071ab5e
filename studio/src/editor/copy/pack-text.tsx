import { useTranslation } from "react-i18next";
import { TextField as TextInput } from "#ui/text-field.tsx";
import type { TextField } from "../draft/draft.ts";
import { useDraft, useEdit } from "../draft/editor-store.ts";
import { setText } from "../draft/edits.ts";
import { CHARACTERS_MAX, charactersOf, type TextFault, textFault } from "../order/pack-request.ts";

interface CountedFieldProps {
  readonly field: TextField;
  readonly text: string;
  readonly fault: TextFault | null;
  readonly placeholder: string;
  readonly onChange: (text: string) => void;
}

/** The counter is shown from this fraction of the character limit. */
const NEAR = 0.8;

/** A text field of the pack with its character count. */
export function CountedField({ field, text, fault, placeholder, onChange }: CountedFieldProps) {
  const { t } = useTranslation("editor");
  const count = charactersOf(text);
  const max = CHARACTERS_MAX[field];
  const tone = count > max ? "text-red font-medium" : count >= NEAR * max ? "text-amber" : "text-quiet";
  return (
    <TextInput
      label={t(`copy.${field}`)}
      value={text}
      placeholder={placeholder}
      autoComplete="off"
      fault={fault === null ? null : t(`copy.fault.${fault}`, { max })}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      aside={
        <span className={`text-xs tabular-nums ${tone}`}>
          <span aria-hidden="true">
            {count}/{max}
          </span>
          <span className="sr-only">{t("copy.counter", { count, max })}</span>
        </span>
      }
    />
  );
}

/** Field for a text of the pack. */
export function PackText({ field }: { readonly field: TextField }) {
  const { t } = useTranslation("editor");
  // Select strings, so that only the edited field renders again.
  const text = useDraft(({ texts }) => texts[field]);
  const fault = useDraft(({ texts }) => textFault(texts, field));
  const edit = useEdit();
  return (
    <CountedField
      field={field}
      text={text}
      fault={fault}
      placeholder={t("copy.asExample", { text: t(`copy.example.${field}`) })}
      onChange={(typed) => edit((draft) => setText(draft, field, typed), `text.${field}`)}
    />
  );
}
