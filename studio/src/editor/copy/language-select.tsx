import { useTranslation } from "react-i18next";
import { Select } from "#ui/select.tsx";
import { useDraft, useEdit } from "../draft/editor-store.ts";

/** Languages that most advertisements are written in. The API takes every tag; an earlier pack may bring another. */
const TAGS = [
  "en",
  "de",
  "fr",
  "es",
  "it",
  "pt",
  "nl",
  "da",
  "sv",
  "nb",
  "fi",
  "pl",
  "cs",
  "hu",
  "tr",
  "el",
  "uk",
  "ar",
  "he",
  "hi",
  "th",
  "ja",
  "ko",
  "zh-Hans",
  "zh-Hant",
];

/** A select's value cannot be empty. */
const NONE = "none";

/** The language that the words are written in. */
export function LanguageSelect() {
  const { t, i18n } = useTranslation("editor");
  const language = useDraft((draft) => draft.language);
  const edit = useEdit();
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
        onChange={(tag) => edit((draft) => ({ ...draft, language: tag === NONE ? "" : tag }))}
      />
      <p className="text-xs text-quiet">{t("copy.languageHint")}</p>
    </div>
  );
}
