import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { LIMITS } from "creative-packs-service/limits";
import { useTranslation } from "react-i18next";
import { callAccount } from "#api/account.ts";
import { KnownService } from "#api/known-service.tsx";
import { queryClient, sessionQuery, workspacesQuery } from "#api/queries.ts";
import { THEMES, useTheme } from "#app/theme.ts";
import { useIsOwner, useWorkspaceId } from "#app/workspace.ts";
import { billingQuery, refreshBilling } from "#billing/billing-queries.ts";
import { buttonStyle } from "#ui/button.tsx";
import { ErrorNote, Form, textOf } from "#ui/form.tsx";
import { Card, Page } from "#ui/page.tsx";
import { MailLanguageSelect, Select } from "#ui/select.tsx";
import { TextField } from "#ui/text-field.tsx";
import { showErrorToast, showToast } from "#ui/toast.ts";
import { chooseLanguage, LANGUAGES, type Language, languages } from "#words/words.ts";
import { ChangeAddress, ChangePassword } from "./change-address.tsx";
import { Workspaces } from "./workspaces.tsx";

/** Settings of the user, this device and the open workspace. */
export function SettingsPage() {
  const { t } = useTranslation("settings");
  const workspaceId = useWorkspaceId();
  return (
    <Page
      title={t("title")}
      lead={t("lead")}
      actions={
        useIsOwner() && (
          <Link to="/w/$workspaceId/audit" params={{ workspaceId }} className={buttonStyle("secondary")}>
            {t("toAudit")}
          </Link>
        )
      }
    >
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

/** Name of the open workspace, which owners can change. */
function WorkspaceName() {
  const { t } = useTranslation("settings");
  const workspaceId = useWorkspaceId();
  const isOwner = useIsOwner();
  const { data = [] } = useQuery(workspacesQuery);
  const name = data.find((one) => one.workspaceId === workspaceId)?.name;
  const rename = useMutation({
    mutationFn: (form: FormData) =>
      callAccount("renameWorkspace", { path: { workspaceId }, json: { name: textOf(form, "name") } }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: workspacesQuery.queryKey });
      showToast(t("rename.done"));
    },
  });
  if (name === undefined) return null;
  return (
    <Card title={t("rename.title")}>
      {isOwner ? (
        <Form sending={rename} submit={t("rename.submit")} isMain={false}>
          <TextField
            // Remounts the field when the saved value changes.
            key={name}
            label={t("rename.name")}
            hint={t("rename.hint")}
            name="name"
            required
            maxLength={LIMITS.workspaceNameCharactersMax}
            defaultValue={name}
          />
        </Form>
      ) : (
        <p className="text-sm">{t("rename.now", { name })}</p>
      )}
    </Card>
  );
}

/** Form for the number of credits below which the workspace's owners get an email. */
function LowBalanceNotice() {
  const { t } = useTranslation("settings");
  const workspaceId = useWorkspaceId();
  const isOwner = useIsOwner();
  const { data, error } = useQuery(billingQuery(workspaceId));
  const save = useMutation({
    mutationFn: (form: FormData) =>
      callAccount("setNotices", {
        path: { workspaceId },
        json: { lowBalanceBelow: Number(textOf(form, "below")) },
      }),
    onSuccess: async () => {
      await refreshBilling(workspaceId);
      showToast(t("notice.done"));
    },
  });
  if (data === undefined) return <ErrorNote error={error} />;
  return (
    <Card title={t("notice.title")}>
      <p className="text-sm text-quiet">{t("notice.lead")}</p>
      {isOwner ? (
        <Form sending={save} submit={t("notice.submit")} isMain={false}>
          <TextField
            // Remounts the field when the saved value changes.
            key={data.lowBalanceBelow}
            label={t("notice.below")}
            hint={t("notice.hint")}
            name="below"
            type="number"
            inputMode="numeric"
            min={0}
            step={1}
            required
            defaultValue={data.lowBalanceBelow}
          />
        </Form>
      ) : (
        <p className="text-sm">{t("notice.now", { count: data.lowBalanceBelow })}</p>
      )}
    </Card>
  );
}

/** Language and theme on this device. */
function LanguageAndColours() {
  const { t } = useTranslation("settings");
  const { t: common, i18n } = useTranslation();
  const [theme, chooseTheme] = useTheme();
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
        onChange={chooseTheme}
      />
    </Card>
  );
}

/** Select for the language of the user's emails. */
function MailLanguage() {
  const { t } = useTranslation("settings");
  const { data: session } = useQuery(sessionQuery);
  const change = useMutation({
    mutationFn: (language: Language) => callAccount("changeLanguage", { json: { language } }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
      showToast(t("mail.done"));
    },
    onError: showErrorToast,
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
