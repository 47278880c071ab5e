import { useMutation, useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { callAccount } from "#api/account.ts";
import { useIsOwner, useWorkspaceId } from "#app/workspace.ts";
import { billingQuery, refreshBilling } from "#billing/billing-queries.ts";
import { ErrorNote, Form, textOf } from "#ui/form.tsx";
import { Card } from "#ui/page.tsx";
import { TextField } from "#ui/text-field.tsx";
import { tell } from "#ui/toast.ts";

/** Below how many credits the workspace's owners are written to. */
export function LowBalanceNotice() {
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
      tell(t("notice.done"));
    },
  });
  if (data === undefined) return <ErrorNote error={error} />;
  return (
    <Card title={t("notice.title")}>
      <p className="text-sm text-quiet">{t("notice.lead")}</p>
      {isOwner ? (
        <Form sending={save} submit={t("notice.submit")} isMain={false}>
          <TextField
            // Drawn anew with what was saved.
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
