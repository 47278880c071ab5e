import { useTranslation } from "react-i18next";
import { LANGUAGES, type Language, languages } from "#words/words.ts";
import { Select } from "./select.tsx";

interface MailLanguageSelectProps {
  readonly value: Language;
  readonly onChange: (language: Language) => void;
}

/** In which language somebody is written to. */
export function MailLanguageSelect({ value, onChange }: MailLanguageSelectProps) {
  const { t } = useTranslation();
  return (
    <Select
      label={t("mailLanguage")}
      value={value}
      options={languages.map((language) => ({ value: language, text: LANGUAGES[language] }))}
      onChange={onChange}
    />
  );
}
