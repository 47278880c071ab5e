import { useTranslation } from "react-i18next";
import { Select } from "#ui/select.tsx";
import { useDraft, useEdit } from "../draft/editor-store.ts";
import { Section } from "../section.tsx";
import { PackText } from "./pack-text.tsx";

const FIRST = ["headline", "subheadline", "cta"] as const;
const FURTHER = ["price", "oldPrice", "badge", "disclaimer"] as const;

/** The words of the pack. */
export function WordsSection() {
  const { t } = useTranslation("editor");
  const language = useDraft((draft) => draft.language);
  const edit = useEdit();
  const hasFurther = useDraft(
    ({ texts, language }) => language !== "" || FURTHER.some((field) => texts[field] !== ""),
  );
  return (
    <Section title={t("copy.title")} lead={t("copy.lead")}>
      {FIRST.map((field) => (
        <PackText key={field} field={field} />
      ))}
      {/* Opened where there is something in it, and then left to the person. */}
      <details open={hasFurther || undefined} className="group rounded-lg border border-line">
        <summary className="cursor-pointer rounded-lg px-3 py-2 text-sm font-medium hover:bg-sunk">
          {t("copy.more")}
        </summary>
        <div className="flex flex-col gap-3 px-3 pt-1 pb-3">
          <div className="grid gap-3 sm:grid-cols-2">
            {FURTHER.slice(0, 2).map((field) => (
              <PackText key={field} field={field} />
            ))}
          </div>
          {FURTHER.slice(2).map((field) => (
            <PackText key={field} field={field} />
          ))}
          <LanguageSelect
            language={language}
            onChange={(tag) => edit((draft) => ({ ...draft, language: tag }))}
          />
        </div>
      </details>
    </Section>
  );
}

/** Languages that most advertisements are written in. The API takes every tag; an earlier pack may bring another. */
const TAGS = "en de fr es it pt nl da sv nb fi pl cs hu tr el uk ar he hi th ja ko zh-Hans zh-Hant".split(
  " ",
);

/** A select's value cannot be empty. */
const NONE = "none";

interface LanguageSelectProps {
  /** A BCP 47 tag; empty for none. */
  readonly language: string;
  readonly onChange: (language: string) => void;
}

/** The language that words are written in. */
export function LanguageSelect({ language, onChange }: LanguageSelectProps) {
  const { t, i18n } = useTranslation("editor");
  const names = new Intl.DisplayNames(i18n.language, { type: "language" });
  const tags = language === "" || TAGS.includes(language) ? TAGS : [...TAGS, language];
  const named = tags.map((tag) => ({ value: tag, text: names.of(tag) ?? tag }));
  named.sort((a, b) => a.text.localeCompare(b.text, i18n.language));
  return (
    <div className="flex flex-col gap-1">
      <Select
        label={t("copy.language")}
        value={language === "" ? NONE : language}
        options={[{ value: NONE, text: t("copy.languageNone") }, ...named]}
        onChange={(tag) => onChange(tag === NONE ? "" : tag)}
      />
      <p className="text-xs text-quiet">{t("copy.languageHint")}</p>
    </div>
  );
}
