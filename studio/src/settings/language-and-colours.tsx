import { useState } from "react";
import { useTranslation } from "react-i18next";
import { chooseTheme, readTheme, THEMES } from "#app/theme.ts";
import { Card } from "#ui/page.tsx";
import { Select } from "#ui/select.tsx";
import { chooseLanguage, LANGUAGES, languages } from "#words/words.ts";

/** How the Studio speaks and looks on this device. */
export function LanguageAndColours() {
  const { t } = useTranslation("settings");
  const { t: common, i18n } = useTranslation();
  const [theme, setTheme] = useState(readTheme);
  return (
    <Card title={t("look")}>
      <Select
        label={common("language")}
        value={languages.find((language) => language === i18n.language) ?? "en"}
        options={languages.map((value) => ({ value, text: LANGUAGES[value] }))}
        onChange={(language) => void chooseLanguage(language)}
      />
      <Select
        label={common("theme.label")}
        value={theme}
        options={THEMES.map((value) => ({ value, text: common(`theme.${value}`) }))}
        onChange={(chosen) => {
          chooseTheme(chosen);
          setTheme(chosen);
        }}
      />
    </Card>
  );
}
