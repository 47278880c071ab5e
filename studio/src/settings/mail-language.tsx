import { useMutation, useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { callAccount } from "#api/account.ts";
import { queryClient, sessionQuery } from "#api/queries.ts";
import { Card } from "#ui/page.tsx";
import { MailLanguageSelect } from "#ui/select.tsx";
import { tell, tellError } from "#ui/toast.ts";
import type { Language } from "#words/words.ts";

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
