import { useTranslation } from "react-i18next";
import { KnownService } from "#api/known-service.tsx";
import { Page } from "#ui/page.tsx";
import { ChangeAddress, ChangePassword } from "./change-address.tsx";
import { LanguageAndColours, MailLanguage } from "./language-and-colours.tsx";
import { LowBalanceNotice } from "./low-balance-notice.tsx";
import { WorkspaceName } from "./workspace-name.tsx";
import { Workspaces } from "./workspaces.tsx";

/** What a person sets for themselves, and their workspaces. */
export function SettingsPage() {
  const { t } = useTranslation("settings");
  return (
    <Page title={t("title")} lead={t("lead")}>
      <KnownService>
        {({ mail, billing }) => (
          <div className="grid items-start gap-6 lg:grid-cols-2">
            <LanguageAndColours />
            {mail && <MailLanguage />}
            {mail && <ChangeAddress />}
            <ChangePassword />
            {mail && billing && <LowBalanceNotice />}
            <WorkspaceName />
            <Workspaces />
          </div>
        )}
      </KnownService>
    </Page>
  );
}
