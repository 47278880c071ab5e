import { useTranslation } from "react-i18next";
import { Page } from "../ui/page.tsx";
import { ChangePassword } from "./change-password.tsx";
import { LanguageAndColours } from "./language-and-colours.tsx";
import { Workspaces } from "./workspaces.tsx";

/** What a person sets for themselves, and their workspaces. */
export function SettingsPage() {
  const { t } = useTranslation("settings");
  return (
    <Page title={t("title")} lead={t("lead")}>
      <div className="grid gap-6 lg:grid-cols-2">
        <LanguageAndColours />
        <ChangePassword />
        <Workspaces />
      </div>
    </Page>
  );
}
