import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { callAccount } from "#api/account.ts";
import { queryClient, sessionQuery } from "#api/queries.ts";
import { chooseTheme, readTheme, THEMES } from "#app/theme.ts";
import { Card } from "#ui/page.tsx";
import { MailLanguageSelect, Select } from "#ui/select.tsx";
import { tell, tellError } from "#ui/toast.ts";
import { chooseLanguage, LANGUAGES, type Language, languages } from "#words/words.ts";

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

/** In which language the service writes to the person. */
export function MailLanguage() {
  const { t } = useTranslation("settings");
  const { data: session } = useQuery(sessionQuery);
  const change = useMutation({
    mutationFn: (language: Language) => callAccount("changeLanguage", { json: { language } }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
      tell(t("mail.done"));
    },
    onError: tellError,
  });
  if (session == null) return null;
  return (
    <Card title={t("mail.title")}>
      <MailLanguageSelect
        value={change.isPending ? change.variables : session.account.language}
        onChange={(language) => change.mutate(language)}
      />
      <p className="text-xs text-quiet">{t("mail.hint")}</p>
    </Card>
  );
}
